/**
 * Housekeeping: one workflow a task that the product does again and again, with a pause between two rounds. Operators
 * pause, resume and trigger it by updates (`OPERATOR_UPDATES`).
 *
 * Temporal lists the workflows of a division only where a query names it, so the default list shows launches, plans, reviews
 * and sources. Housekeeping is listed by `TemporalNamespaceDivision = 'launch-housekeeping'`.
 */
export const HOUSEKEEPING_DIVISION = 'launch-housekeeping';

/** Why no round begins, and since when. */
export interface HousekeepingPause {
  /** As the operator gave it. */
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
}

/** What a run of housekeeping begins with; absent for the first one. */
export interface HousekeepingInput {
  readonly pause: HousekeepingPause | null;
  /** A round that was asked for and has not begun. */
  readonly isTriggered?: boolean;
}

/** The member of the memo that holds a `HousekeepingPause`; absent while the work goes on. */
export const PAUSE_MEMO = 'paused';

/** Answer of `pause`, `resume` and `trigger`. */
export interface HousekeepingAnswer {
  readonly paused: boolean;
}
