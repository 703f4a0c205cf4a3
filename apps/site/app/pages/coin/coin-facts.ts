import type { ValueOf } from '@launch/sdk/operations';
import type { ShownChain } from '../../site/chains.js';

export type IndexedLaunch = ValueOf<'getIndexedLaunch', 200>;
export type LaunchRecord = IndexedLaunch['launch'];
export type Presentation = ValueOf<'getChainPresentation', 200>;
export type ExploreRow = ValueOf<'exploreChain', 200>['items'][number];
export type Verification = ValueOf<'getIndexVerification', 200>;
export type MultiRoleRecord = ValueOf<'getFinalized', 200> | ValueOf<'getFinalizedV3', 200>;
export type CustomLaunchRecord = ValueOf<'listFinalizedCustomLaunches', 200>['items'][number];
export type EthereumRecord = ValueOf<'listFinalizedEthereumLaunches', 200>['items'][number];
export type CoinTrade = ValueOf<'listChainTrades', 200>['items'][number];
export type Axes = IndexedLaunch['axes'];
export type Market = Presentation['market'];

/** The finalized record of a coin in a public feed, with the path that the page read it from. */
export type FeedRecord =
  | { readonly feed: 'multi-role'; readonly record: MultiRoleRecord; readonly path: string }
  | { readonly feed: 'custom-launch'; readonly record: CustomLaunchRecord; readonly path: string }
  | { readonly feed: 'ethereum'; readonly record: EthereumRecord; readonly path: string };

/** The facts that the page has about a coin. A null is a fact that the page could not read or that does not exist. */
export interface CoinFacts {
  readonly chainId: ShownChain;
  /** With its EIP-55 checksum. */
  readonly token: string;
  /** The row of the list of coins, which includes coins that are not final. */
  readonly row: ExploreRow | null;
  readonly indexed: IndexedLaunch | null;
  readonly presentation: Presentation | null;
  /** The verification document, whose digest equals the one of the record. */
  readonly verification: Verification | null;
  readonly record: FeedRecord | null;
}

/** The members that the list and the record of a coin share. */
export interface CoinIdentity {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly creator: string;
  readonly poolId: string;
  readonly sourceKind: LaunchRecord['sourceKind'];
  readonly factoryVersion: LaunchRecord['factoryVersion'];
  readonly launchedAt: string;
  readonly moduleFamilyIds: readonly string[];
  readonly stage: ExploreRow['finalityStage'];
}

/** Returns the identity of a coin: by its finalized record, or by the list of coins before there is one. */
export function identityOf({ row, indexed }: Pick<CoinFacts, 'row' | 'indexed'>): CoinIdentity | null {
  if (indexed !== null) return { ...indexed.launch, stage: 'ethereum_finalized' };
  return row === null ? null : { ...row, stage: row.finalityStage };
}

/** The launch kind of a Foundation graph, as a router stamps it. */
export const FOUNDATION_GRAPH = 2;
