import { describe, expect, it } from '@jest/globals';
import { chainExploreSchema } from '@launch/contracts/index';
import { aCoin, aCoinPage } from '../../site/listed-coin.fixture.js';
import { renderPage } from '../../site/render-page.fixture.js';
import { readExploreQuery } from './explore-query.js';
import ExplorePage from './explore.page.js';

const page = (search: string, read: unknown): string =>
  renderPage(ExplorePage, { asked: readExploreQuery(new URLSearchParams(search)), read }, `/${search}`);
const listed = (search: string, ...list: Parameters<typeof aCoinPage>): string =>
  page(search, { is: 'value', value: chainExploreSchema.parse(aCoinPage(...list)) });

describe('The list of coins', () => {
  it('shows each coin with its chain, creator, price, fee, time and finality', () => {
    const html = listed('', [
      aCoin(),
      aCoin({
        tokenAddress: '0x112B723cf68943Aee3D412B9063445210DfA6A30',
        sourceKind: 'module-foundation-v1',
        factoryVersion: 'V3',
        mode: 'module',
        label: 'Service Custom',
        finalityStage: 'sequencer_soft_confirmed',
        chainId: 1,
      }),
    ]);
    expect(html).toContain('href="/coins/4663/0xbe7F9392BA4Eb5e29EF02aE9755943EA21cDe3C8"');
    expect(html).toContain('href="/coins/1/0x112B723cf68943Aee3D412B9063445210DfA6A30"');
    expect(html).toContain('href="/creators/0x7310074aF5fdC1c661B926Cf91c81A6bd6999CF9"');
    expect(html).toContain('0.00000001001 ETH');
    expect(html).toMatch(/>0\.3%</);
    expect(html).toContain('Not listed');
    expect(html).toContain('3 hours ago');
    for (const said of ['>Final<', '>Provisional<', '>Service Custom<', '1 to 2 of 2 coins', 'The index is current.'])
      expect(html).toContain(said);
  });

  it('works without scripts: the filters are a form that gets the same page', () => {
    const html = listed('?q=atl&mode=custom', [aCoin()]);
    expect(html).toMatch(/<form[^>]*action="\/" method="get"/);
    expect(html).toMatch(/<input[^>]*name="q"[^>]*value="atl"/);
    expect(html).toContain('<option value="custom" selected="">');
  });

  it('keeps the filters in the links to other pages', () => {
    const html = listed('?q=atl&pageSize=50&page=2', [aCoin()], {
      page: { number: 2, pageSize: 50, totalItems: 130, totalPages: 3, hasMore: true },
    });
    expect(html).toContain('href="/?q=atl&amp;pageSize=50&amp;page=3"');
    expect(html).toContain('href="/?q=atl&amp;pageSize=50"');
    expect(html).toContain('51 to 51 of 130 coins');
  });

  it('shows hostile names as text that hides nothing', () => {
    const html = listed('', [
      aCoin({ name: '<script>alert(1)</script>', symbol: 'US\u202eCD' }),
      aCoin({ tokenAddress: '0x112B723cf68943Aee3D412B9063445210DfA6A30', name: 'x'.repeat(5_000), symbol: null }),
    ]);
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('US[U+202E]CD');
    expect(html).toContain(`>${'x'.repeat(48)}…<`);
    expect(html).toContain('no symbol');
  });

  it('loads images of the service alone and no inline style', () => {
    const html = listed('', [
      aCoin({ imageUrl: 'https://coin.example/a.png' }),
      aCoin({
        tokenAddress: '0x112B723cf68943Aee3D412B9063445210DfA6A30',
        imageUrl: 'https://api.launch.example/a.png',
      }),
    ]);
    expect(html).not.toContain('coin.example');
    expect(html).toContain('src="https://api.launch.example/a.png"');
    expect(html).not.toContain('style=');
  });

  it('says which prices are unknown', () => {
    const html = listed('', [
      aCoin({ market: null }),
      aCoin({
        tokenAddress: '0x112B723cf68943Aee3D412B9063445210DfA6A30',
        market: { ...aCoin().market!, priceNative: null, isComplete: false },
      }),
    ]);
    for (const said of ['Trades not read', 'No trade yet', 'at least ']) expect(html).toContain(said);
  });

  it.each([
    ['stale', 'This list is behind the chain'],
    ['indeterminate', 'This list may be incomplete'],
  ] as const)('says at the top that it is %s', (status, said) => {
    const html = listed('', [aCoin()], { status });
    expect(html.indexOf(said)).toBeGreaterThan(0);
    expect(html.indexOf(said)).toBeLessThan(html.indexOf('<form'));
    expect(html).not.toContain('The index is current.');
  });

  it.each([
    ['', 'ok', 'No coin has been launched yet.'],
    ['?q=nothing', 'ok', 'No coin matches.'],
    ['?q=nothing', 'stale', 'a new coin may be missing'],
  ] as const)('is empty for %j while the index is %s: %j', (search, status, said) => {
    expect(listed(search, [], { status })).toContain(said);
  });

  it('leads back from a page past the end', () => {
    const html = listed('?page=99&mode=module', [], {
      page: { number: 99, pageSize: 10, totalItems: 48, totalPages: 5, hasMore: false },
    });
    expect(html).toContain('This list has no page 99.');
    expect(html).toContain('href="/?mode=module&amp;page=5"');
  });

  it('names the wrong field of an address and what is right, and keeps what the visitor typed', () => {
    const html = page('?mode=foo&q=atl', null);
    expect(html).toContain('<code>mode</code>: Choose one of the kinds in the list.');
    expect(html).toMatch(/<select[^>]*name="mode"[^>]*aria-invalid="true"/);
    expect(html).toMatch(/<input[^>]*value="atl"/);
  });

  it('says that the service did not answer, never that there are no coins', () => {
    const html = page('', {
      is: 'unavailable',
      code: 'INDEX_NOT_CURRENT',
      message: 'The index is behind.',
      requestId: 'req_1',
    });
    expect(html).toContain('The site could not read the list of coins from the service.');
    expect(html).toContain('INDEX_NOT_CURRENT');
    expect(html).not.toContain('No coin');
  });

  it.each([
    ['no answer came (connection failed)', '<p>No answer came (connection failed). Reload'],
    ['The index is behind.', '<p>The index is behind. Reload'],
  ])('says the reason %j as a sentence', (message, said) => {
    expect(page('', { is: 'unavailable', code: 'SERVICE_UNREACHABLE', message, requestId: null })).toContain(said);
  });
});
