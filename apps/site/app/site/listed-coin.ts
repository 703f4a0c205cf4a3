import type { ValueOf } from '@launch/sdk/operations';

/** A page of the service's list of coins. */
export type CoinPage = ValueOf<'exploreChain', 200>;
/** A coin of a list. Its texts are the launcher's own words. */
export type ListedCoin = CoinPage['items'][number];
/** Trades of a coin's pool; null where the index does not read them. */
export type ListedMarket = ListedCoin['market'];
