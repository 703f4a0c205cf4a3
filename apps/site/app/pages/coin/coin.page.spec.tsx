import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import type { CoinFacts } from './coin-facts.js';
import { coinOf, provisional, SOURCES } from './coins.fixture.js';
import { coinView } from './coin-view.js';
import CoinPage, { type CoinPageData } from './coin.page.js';
import type { CoinRead } from './read-coin.js';

type Read = Extract<CoinRead, { is: 'coin' }>;

const show = (loaderData: CoinPageData): string =>
  renderPage(() => <CoinPage loaderData={loaderData} />, loaderData, '/');
const page = (facts: CoinFacts, changed: Partial<Read> = {}): string =>
  show({
    is: 'coin',
    coin: coinView({
      is: 'coin',
      facts,
      listStatus: 'ok',
      updatedAt: '2026-11-28T11:59:50.000Z',
      others: { is: 'value', value: [] },
      unread: [],
      ...changed,
    }),
  });

describe('The page of a coin', () => {
  it.each(SOURCES)('answers the six questions and shows the nine facts of %s.', (source) => {
    const html = page(coinOf(source));
    for (const question of ['What does each trade cost', 'What is locked', 'What can still change', 'Is it final?'])
      expect(html).toContain(question);
    for (const fact of ['Provenance', 'Indexing by third parties']) expect(html).toContain(`>${fact}<`);
    expect(html).not.toContain('style=');
  });

  it('links each proof: the record, the verification document and its digest.', () => {
    const facts = coinOf('module-foundation-v1 V3');
    const html = page(facts);
    const { verificationDigest } = facts.indexed!.launch;
    expect(html).toContain(`href="https://api.launch.example/api/indexers/v1/launches/4663/${facts.token}"`);
    expect(html).toContain(`/api/indexers/v1/verifications/${verificationDigest.slice(7)}"`);
    expect(html).toContain(verificationDigest);
  });

  it('labels an unstamped coin in one sentence, and a labelled coin with its label.', () => {
    expect(page(coinOf('module-native-v1'))).toContain('This coin has no stamp');
    const labelled = page(coinOf('custom-router-v1'));
    expect(labelled).toContain('>Service Custom<');
    expect(labelled).not.toContain('This coin has no stamp');
  });

  it('says that a launch is not final.', () => {
    const html = page(provisional(coinOf('custom-router-v1')));
    expect(html).toContain('This launch is not final. It can still disappear.');
    expect(html).toContain('The list of contracts appears when the launch is final.');
  });

  it('says at the top that the index is behind, and which parts are unread.', () => {
    const html = page(coinOf('module-native-v1'), { listStatus: 'stale', unread: ['the verification document'] });
    expect(html).toContain('The index is behind.');
    expect(html).toContain('The site could not read the verification document.');
  });

  it('shows hostile text as text.', () => {
    const facts = coinOf('module-foundation-v1 V3');
    const launch = { ...facts.indexed!.launch, name: '<script>alert(1)</script>', symbol: 'US\u202eCD' };
    const presentation = {
      ...facts.presentation!,
      description: 'one\n<img src=x onerror=alert(2)>',
      links: [{ label: 'website' as const, url: 'javascript:alert(3)' }],
    };
    const html = page({ ...facts, indexed: { ...facts.indexed!, launch }, presentation });
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('href="javascript:');
    expect(html).toContain('US[U+202E]CD');
  });

  it('shows a coin without metadata, name and market.', () => {
    const facts = coinOf('module-native-v1');
    const launch = { ...facts.indexed!.launch, name: null, symbol: null, decimals: null };
    const html = page({ ...facts, indexed: { ...facts.indexed!, launch }, presentation: null, row: null });
    expect(html).toContain('Coin without a name');
    expect(html).toContain('The market of this coin is unknown.');
    expect(html).toContain('The site could not read the metadata of this coin.');
  });

  it('shows the reason when it has no coin.', () => {
    expect(show({ is: 'no chain' })).toContain('coins of Ethereum (1) and of chain 4663 only');
    expect(show({ is: 'no address' })).toContain('This is not a valid token address.');
    expect(show({ is: 'no coin', read: { is: 'absent', message: 'Not in the index.' } })).toContain('quarantine');
    const unavailable = {
      is: 'unavailable',
      code: 'INDEX_NOT_CURRENT',
      message: 'Try later.',
      requestId: 'req_1',
    } as const;
    expect(show({ is: 'no coin', read: unavailable })).toContain('INDEX_NOT_CURRENT');
  });
});
