import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import type { CoinFacts, CoinTrade } from './coin-facts.js';
import { coinOf, provisional, SOURCES } from './coins.fixture.js';
import { coinView } from './coin-view.js';
import CoinPage, { type CoinPageData } from './coin.page.js';
import type { CoinRead } from './read-coin.js';

const BUY: CoinTrade = {
  transactionHash: `0x${'5'.repeat(64)}`,
  blockNumber: '50470001',
  blockHash: `0x${'6'.repeat(64)}`,
  logIndex: 12,
  at: '2026-11-28T11:00:00.000Z',
  isFinal: true,
  router: '0x1111111111111111111111111111111111111111',
  side: 'buy',
  nativeWei: '10000000000000000',
  tokenAmount: '10000000000000000',
  priceNative: '1',
  fees: { platformWei: '30000000000000', creatorWei: '100000000000000' },
};
const SELL: CoinTrade = { ...BUY, logIndex: 15, side: 'sell', priceNative: '0.5', isFinal: false };

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
      trades: { is: 'value', value: { items: [], hasMore: false, updatedAt: null } },
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

  it('draws the trades as an image with a name and a summary, and lists each of them.', () => {
    const html = page(coinOf('module-foundation-v1 V3'), {
      trades: { is: 'value', value: { items: [SELL, BUY], hasMore: true, updatedAt: '2026-11-28T11:59:50.000Z' } },
    });
    expect(html).toMatch(/<svg role="img" aria-labelledby="[^"]+"/);
    expect(html).toContain('2 trades. The last price is 0.5 ETH; the lowest is 0.5 ETH and the highest 1 ETH.');
    expect(html).toContain('>Buy<');
    expect(html).toContain('>Sell<');
    expect(html).toContain('0.00003 platform, 0.0001 creator');
    expect(html).toContain('The pool has more trades than these.');
    expect(html).not.toContain('No trades yet');
  });

  it('says that a coin has no trades, or that it could not read them.', () => {
    const facts = coinOf('module-foundation-v1 V3');
    expect(page(facts)).toContain('No trades yet');
    const unread = { is: 'unavailable', code: 'SERVICE_UNAVAILABLE', message: 'Try later.', requestId: null } as const;
    expect(page(facts, { trades: unread })).toContain('The site could not read the trades of this coin');
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
