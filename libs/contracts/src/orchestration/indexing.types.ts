import type { IndexState } from '../index/published-views.js';
import type { QuarantineReason } from '../index/quarantine-reasons.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';

/** A binding that the indexer follows. */
export interface SourceBinding {
  readonly chainId: number;
  readonly address: Hex;
  readonly releaseDigest: Sha256Digest;
  readonly sourceVersion: string;
}

/** Updates that an operator sends to the index of a source. */
export const INDEX_SIGNALS = { rescan: 'rescan' } as const;
export const INDEX_UPDATES = { rejudge: 'rejudge', dismiss: 'dismiss', hold: 'hold', release: 'release' } as const;
/** The code that rejects an update with an invalid input. */
export const INDEX_REJECTION = 'INDEX_UPDATE_INVALID';

/** The position of a log in its chain. */
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

/** The subject of an operator's hold. */
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
  /** Reason why the source waits, is stopped or is refused. */
  readonly reason: string | null;
  /** The last block whose launches are admitted, decimal; null before the first. */
  readonly checkpoint: string | null;
  /** Rows of final blocks. */
  readonly launches: number;
  /** Logs that are not launches, without the dismissed ones. */
  readonly quarantined: number;
}

/** The new judgement of a quarantined log. */
export type Rejudged =
  | { readonly outcome: 'pass'; readonly tokenAddress: Hex }
  | { readonly outcome: 'fail'; readonly reason: QuarantineReason; readonly detail: string }
  /** The observers made no statement, and nothing was appended. */
  | { readonly outcome: 'indeterminate'; readonly detail: string }
  /** The quarantine has no log of the source at this position. */
  | { readonly outcome: 'unknown' };

interface OfSource {
  readonly releaseDigest: Sha256Digest;
}

/** The activities of `launch-indexer`. */
export interface IndexerActivities {
  /** Reads the next ranges, until the time of one run is over. */
  followSource(input: OfSource): Promise<IndexProgress>;
  /** Schedules the blocks from a given one up to the checkpoint for another read. */
  requestRescan(input: OfSource & { readonly from: string }): Promise<void>;
  rejudgeEvent(input: OfSource & { readonly event: EventKey }): Promise<Rejudged>;
  /** Removes a quarantined log from the counts of the data set. Returns false if there is none at the position. */
  dismissEvent(input: OfSource & { readonly event: EventKey; readonly reason: string }): Promise<boolean>;
  /**
   * Keeps the launches of a place out of the index and marks those already in it as indeterminate. A repeated call
   * changes the reason.
   */
  holdPlace(input: OfSource & HoldOrder): Promise<void>;
  /**
   * Schedules another read of a held place once it is final, which ends the hold. Returns false if the place has no
   * hold.
   */
  releasePlace(input: OfSource & { readonly place: HeldPlace }): Promise<boolean>;
}
