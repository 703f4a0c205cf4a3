/**
 * Housekeeping: one workflow per periodic task of the product, with a pause between two rounds. Operators pause, resume
 * and trigger it by updates (`OPERATOR_UPDATES`).
 *
 * Temporal lists the workflows of a division only if a query names it, so the default list shows launches, plans,
 * reviews and sources. Housekeeping is listed by `TemporalNamespaceDivision = 'launch-housekeeping'`.
 */
export const HOUSEKEEPING_DIVISION = 'launch-housekeeping';

/** A pause of housekeeping: no round begins while it lasts. */
export interface HousekeepingPause {
  /** Text of the operator. */
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
}

/** State that a run of housekeeping continues with; absent for the first run. */
export interface HousekeepingInput {
  readonly pause: HousekeepingPause | null;
  /** A requested round that has not begun. */
  readonly isTriggered?: boolean;
}

/** The member of the memo with a `HousekeepingPause`; absent while the task runs. */
export const PAUSE_MEMO = 'paused';

/** Answer of `pause`, `resume` and `trigger`. */
export interface HousekeepingAnswer {
  readonly paused: boolean;
}
