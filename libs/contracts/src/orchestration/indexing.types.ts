import type { IndexState } from '../index/published-views.js';
import type { QuarantineReason } from '../index/quarantine-reasons.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';

/** A binding that is indexed. */
export interface SourceBinding {
  readonly chainId: number;
  readonly address: Hex;
  readonly releaseDigest: Sha256Digest;
  readonly sourceVersion: string;
}

/** What an operator does to the index of a source. */
export const INDEX_SIGNALS = { rescan: 'rescan' } as const;
export const INDEX_UPDATES = { rejudge: 'rejudge', dismiss: 'dismiss', hold: 'hold', release: 'release' } as const;
/** The code that an update with a wrong input is refused with. */
export const INDEX_REJECTION = 'INDEX_UPDATE_INVALID';

/** Where a log stands, within its chain. */
export interface EventKey {
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

/** A block of a source's chain, or one transaction of it. */
export interface HeldPlace {
  /** Decimal. */
  readonly blockNumber: string;
  /** Null for the whole block. */
  readonly transactionHash: Hex | null;
}

/** What an operator's hold names. */
export interface HoldOrder {
  readonly place: HeldPlace;
  /** Public: `/api/v2/status` shows it. */
  readonly reason: string;
}
/** Characters of the reason of a hold. */
export const MAX_INDEX_HOLD_REASON = 256;

/** The state and progress of the index of one source. */
export interface IndexProgress {
  readonly state: IndexState;
  /** Why it waits, is stopped or refused. */
  readonly reason: string | null;
  /** The last block whose launches are admitted, decimal; null before the first. */
  readonly checkpoint: string | null;
  /** Rows of final blocks. */
  readonly launches: number;
  /** Logs that are no launches, the dismissed ones left out. */
  readonly quarantined: number;
}

/** What a quarantined log was judged to be this time. */
export type Rejudged =
  | { readonly outcome: 'pass'; readonly tokenAddress: Hex }
  | { readonly outcome: 'fail'; readonly reason: QuarantineReason; readonly detail: string }
  /** No statement: nothing was appended. */
  | { readonly outcome: 'indeterminate'; readonly detail: string }
  /** No log of the source is in quarantine there. */
  | { readonly outcome: 'unknown' };

interface OfSource {
  readonly releaseDigest: Sha256Digest;
}

/** The activities of `launch-indexer`. */
export interface IndexerActivities {
  /** Reads on, range by range, for as long as a run of it may take. */
  followSource(input: OfSource): Promise<IndexProgress>;
  /** Has the blocks from one on read again, up to the checkpoint. */
  requestRescan(input: OfSource & { readonly from: string }): Promise<void>;
  rejudgeEvent(input: OfSource & { readonly event: EventKey }): Promise<Rejudged>;
  /** Takes a quarantined log out of the data set's counts. False: there is none there. */
  dismissEvent(input: OfSource & { readonly event: EventKey; readonly reason: string }): Promise<boolean>;
  /** Keeps the launches of a place out of the index, and leaves those that are in it in doubt. Repeating it changes its reason. */
  holdPlace(input: OfSource & HoldOrder): Promise<void>;
  /** Has a held place read again once it is final; the hold ends with that. False: there is no hold of this place. */
  releasePlace(input: OfSource & { readonly place: HeldPlace }): Promise<boolean>;
}
