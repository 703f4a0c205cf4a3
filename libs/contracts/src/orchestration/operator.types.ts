import type { AnyFinding } from '../errors/custom-launch.catalogue.js';

/** Updates that an operator sends to a running workflow, by the names that the Temporal UI and the `temporal` program send. */
export const OPERATOR_UPDATES = {
  /** Ends the workflow's own pause between two attempts at a step. */
  retryNow: 'retryNow',
  /**
   * Admission: begins no further step before the call to custody, until a release or the end of the permit's window. A
   * plan: offers no further step. A review: begins no further build.
   */
  hold: 'hold',
  /** Admission, a plan, a review: continues the held work. */
  release: 'release',
  /** Observation, a plan: observes both chains at once and records the result. */
  recheck: 'recheck',
  /** Housekeeping: begins no further round until it is resumed. */
  pause: 'pause',
  /** Housekeeping: continues the paused task. */
  resume: 'resume',
  /** Housekeeping: begins a round immediately, even while paused. */
  trigger: 'trigger',
} as const;

/** Queries that an operator sends to a workflow, open or closed. */
export const OPERATOR_QUERIES = {
  /** Returns a `StepTimeline`. */
  timeline: 'timeline',
  /** Returns a `FindingsView`. */
  findings: 'findings',
} as const;

/** Failure types that reject an update before the history records it. */
export const OPERATOR_REJECTIONS = {
  /** `retryNow`: the workflow does not wait for an attempt. */
  notPausing: 'OPERATOR_NOT_PAUSING',
  /** `hold`: the workflow already asked custody for a permit, which may have committed to one. */
  custodyAsked: 'OPERATOR_CUSTODY_ASKED',
  /** `hold`: the launch is held. */
  alreadyHeld: 'OPERATOR_ALREADY_HELD',
  /** `hold`: the launch's outcome is recorded, or is being recorded. */
  decided: 'OPERATOR_LAUNCH_DECIDED',
  /** `release`: the launch is not held. */
  notHeld: 'OPERATOR_NOT_HELD',
  /** `recheck`: the workflow is repeating a step; `retryNow` ends its pause. */
  stepInTrouble: 'OPERATOR_STEP_IN_TROUBLE',
  /** `pause`: the task is paused. */
  alreadyPaused: 'OPERATOR_ALREADY_PAUSED',
  /** `resume`: the task is not paused. */
  notPaused: 'OPERATOR_NOT_PAUSED',
  /** `trigger`: a requested round has not begun yet. */
  alreadyTriggered: 'OPERATOR_ALREADY_TRIGGERED',
  /** The input of the update is invalid. */
  input: 'OPERATOR_INPUT_INVALID',
} as const;

/** The most characters of an operator's reason for a hold or an update of housekeeping. */
export const MAX_HOLD_REASON = 200;

export type StepOutcome =
  /** The step returned. */
  | 'answered'
  /** The workflow gave up: the bound of attempts or the time was over. */
  | 'abandoned'
  /** The step ended without a failure of its own: by a cancellation or a defect of the workflow. */
  | 'broken'
  /** The step runs, or the workflow waits for its next attempt. */
  | 'open';

export interface TimelineStep {
  readonly step: string;
  /** ISO 8601, the workflow's clock. */
  readonly startedAt: string;
  /** Null while the step is open. */
  readonly endedAt: string | null;
  readonly outcome: StepOutcome;
  /** Attempts of the workflow; the server's retries within one attempt do not count. */
  readonly attempts: number;
  /** Code of the last failed attempt. */
  readonly lastFailure: string | null;
}

/** Result of `timeline`: the last steps of this run, in the order of their start. */
export interface StepTimeline {
  readonly steps: readonly TimelineStep[];
  /** Number of earlier steps of this run that are no longer kept. */
  readonly dropped: number;
}

/** Result of `findings`. */
export interface FindingsView {
  readonly stage: string;
  /** In the order of their discovery, each once. */
  readonly findings: readonly AnyFinding[];
  /** Number of findings that are omitted because the result would be too large for a payload. */
  readonly omitted: number;
}

/** Result of `retryNow`: the steps whose next attempt begins. */
export interface RetryNowAnswer {
  readonly steps: readonly string[];
}
/** Result of `hold` and `release`. */
export interface HoldAnswer {
  readonly held: boolean;
  /** Time when the hold ends without a release, ISO 8601; null for a review, whose hold has no end. */
  readonly until: string | null;
}
/** Result of `recheck`: the stage of the launch before this observation. */
export interface RecheckAnswer {
  readonly stage: string;
}
