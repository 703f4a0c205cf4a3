import type { CoinPage, ListedCoin } from './listed-coin.js';

/** A coin as the service lists it. */
export const aCoin = (changes: Partial<ListedCoin> = {}): ListedCoin => ({
  chainId: 4663,
  tokenAddress: '0xbe7F9392BA4Eb5e29EF02aE9755943EA21cDe3C8',
  name: 'Atlas',
  symbol: 'ATLAS',
  mode: 'custom',
  sourceKind: 'custom-router-v1',
  factoryVersion: null,
  moduleFamilyIds: [],
  creator: '0x7310074aF5fdC1c661B926Cf91c81A6bd6999CF9',
  poolId: `0x${'5b'.repeat(32)}`,
  launchedAt: '2026-11-28T09:00:00.000Z',
  finalityStage: 'ethereum_finalized',
  label: null,
  imageUrl: null,
  market: {
    priceNative: '0.000000010016857928454160345052850092',
    volume24hNative: '0.00041496',
    swaps24h: 1,
    lastSwap: null,
    isComplete: true,
    asOf: '2026-11-28T11:59:50.000Z',
  },
  ...changes,
});

/** The first page of a list with these coins. */
export const aCoinPage = (items: readonly ListedCoin[], changes: Partial<CoinPage> = {}): CoinPage => ({
  schemaVersion: 'service.chain-explore.v1',
  status: 'ok',
  updatedAt: '2026-11-28T11:59:00.000Z',
  items,
  page: { number: 1, pageSize: 10, totalItems: items.length, totalPages: Math.ceil(items.length / 10), hasMore: false },
  ...changes,
});
