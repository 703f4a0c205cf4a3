import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import { aSource, discovered, READINESS, someReads, UNREAD, value } from './service-reads.fixture.js';
import type { ServiceReads } from './service-state.js';
import StatusPage from './status.page.js';

const page = (changes: Partial<ServiceReads> = {}): string =>
  renderPage(StatusPage, { reads: someReads(changes), readAt: '2026-11-28T11:58:00.000Z' });
const withSources = (...sources: ReturnType<typeof aSource>[]): string => {
  const { index } = someReads();
  return page({ index: index.is === 'value' ? value({ ...index.value, sources }) : index });
};

describe('The status page', () => {
  it('begins with one sentence and shows the details below it', () => {
    const html = page();
    expect(html.indexOf('new launches are open')).toBeLessThan(html.indexOf('<section'));
    for (const title of ['New launches', 'List of coins', 'Final launches', 'Agreement of the providers', 'Evidence'])
      expect(html).toContain(`>${title}</h2>`);
    expect(html).toContain(`href="/releases/sha256:${'e8'.repeat(32)}"`);
    expect(html).toContain('href="https://api.launch.example/api/v2/status"');
    expect(html).not.toContain('style=');
  });

  it('says when it was read and can be read again without scripts', () => {
    const html = page();
    expect(html).toContain('2 minutes ago');
    expect(html).toMatch(/<a[^>]*href="\/status"[^>]*>Read again</);
  });

  it('says why new launches wait, in words and with the code', () => {
    const html = page({
      readiness: value({ ...READINESS, status: 'unavailable', reasonCodes: ['ADMISSION_WORKER_AWAY', 'NEW_REASON'] }),
    });
    expect(html).toContain('No worker judges requests now.');
    expect(html).toContain('ADMISSION_WORKER_AWAY');
    expect(html).toContain('a reason that this site does not know: <code>NEW_REASON</code>');
  });

  it('shows a closed gate and a contradiction', () => {
    const html = page({
      readiness: value({ ...READINESS, gates: { ...READINESS.gates, publicWrites: false } }),
      discovery: discovered({}),
    });
    expect(html).toContain('>Closed<');
    expect(html).toContain('The discovery document says the opposite.');
  });

  it('shows a source that is behind, stopped or holds blocks', () => {
    const html = withSources(
      aSource({ freshness: 'stale', lagBlocks: '12', state: 'waiting', stateReason: 'OBSERVERS_INDETERMINATE' }),
      aSource({
        releaseDigest: `sha256:${'aa'.repeat(32)}`,
        freshness: 'indeterminate',
        state: 'stopped',
        checkpoint: null,
        lagBlocks: null,
        coverage: { from: '1', through: null },
        quarantine: { total: 2, byReason: { STAMP_MISMATCH: 2 }, dismissed: 0, dismissals: [] },
        holds: { total: 3, places: [] },
      }),
    );
    for (const said of [
      '>Behind<',
      '12 blocks',
      'waiting: The observers of a chain disagree',
      '>Incomplete<',
      'none yet',
      '>never<',
      '2 × ',
    ])
      expect(html).toContain(said);
  });

  it('says that the index follows no source', () => {
    expect(withSources()).toContain('The index follows no source.');
  });

  it.each([
    ['readiness', 'The site could not read the gates of new launches from the service.'],
    ['index', 'The site could not read the state of the index from the service.'],
    ['finality', 'The site could not read the search for final launches from the service.'],
    ['modules', 'The service did not answer.'],
  ] as const)('keeps the other parts while %s does not answer', (name, said) => {
    const html = page({ [name]: UNREAD });
    expect(html).toContain(said);
    expect(html).toContain('>No answer<');
    expect(html).toContain('>Answers<');
  });
});
