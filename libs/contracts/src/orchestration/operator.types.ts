import type { AnyFinding } from '../errors/custom-launch.catalogue.js';

/** Updates that an operator sends to a running workflow, by the names that the Temporal UI and the `temporal` program send. */
export const OPERATOR_UPDATES = {
  /** Ends the workflow's own pause between two attempts at a step. */
  retryNow: 'retryNow',
  /** Admission: begins no further step before custody is asked, until released or until the permit's window ends. A plan: offers no further step. A review: begins no further build. */
  hold: 'hold',
  /** Admission, a plan, a review: goes on with what is held. */
  release: 'release',
  /** Observation, a plan: observes both chains at once and records the result. */
  recheck: 'recheck',
  /** Housekeeping: begins no further round until it is resumed. */
  pause: 'pause',
  /** Housekeeping: goes on with what is paused. */
  resume: 'resume',
  /** Housekeeping: begins a round at once, paused or not. */
  trigger: 'trigger',
} as const;

/** Queries that an operator sends to a workflow, open or closed. */
export const OPERATOR_QUERIES = {
  /** Answers a `StepTimeline`. */
  timeline: 'timeline',
  /** Answers a `FindingsView`. */
  findings: 'findings',
} as const;

/** Types of the failures by which an update is rejected, before anything of it is in the history. */
export const OPERATOR_REJECTIONS = {
  /** `retryNow`: no attempt is waited for. */
  notPausing: 'OPERATOR_NOT_PAUSING',
  /** `hold`: custody was asked for a permit, so it may have committed to one. */
  custodyAsked: 'OPERATOR_CUSTODY_ASKED',
  /** `hold`: the launch is held. */
  alreadyHeld: 'OPERATOR_ALREADY_HELD',
  /** `hold`: the launch's outcome is recorded, or is being recorded. */
  decided: 'OPERATOR_LAUNCH_DECIDED',
  /** `release`: the launch is not held. */
  notHeld: 'OPERATOR_NOT_HELD',
  /** `recheck`: a step is tried again; `retryNow` ends its pause. */
  stepInTrouble: 'OPERATOR_STEP_IN_TROUBLE',
  /** `pause`: the work is paused. */
  alreadyPaused: 'OPERATOR_ALREADY_PAUSED',
  /** `resume`: the work is not paused. */
  notPaused: 'OPERATOR_NOT_PAUSED',
  /** `trigger`: a round was asked for and has not begun yet. */
  alreadyTriggered: 'OPERATOR_ALREADY_TRIGGERED',
  /** The input is not what the update takes. */
  input: 'OPERATOR_INPUT_INVALID',
} as const;

/** Characters of the reason an operator gives with a hold, or with an update of housekeeping. */
export const MAX_HOLD_REASON = 200;

export type StepOutcome =
  /** It answered. */
  | 'answered'
  /** It was given up: its bound of attempts or its time was over. */
  | 'abandoned'
  /** It ended by something that is no step's failure: a cancellation, or a defect of the workflow. */
  | 'broken'
  /** It runs, or its next attempt is waited for. */
  | 'open';

export interface TimelineStep {
  readonly step: string;
  /** ISO 8601, the workflow's clock. */
  readonly startedAt: string;
  /** Null while the step is open. */
  readonly endedAt: string | null;
  readonly outcome: StepOutcome;
  /** Attempts the workflow made; those of the server within one are not counted. */
  readonly attempts: number;
  /** Code of the last attempt that gave no answer. */
  readonly lastFailure: string | null;
}

/** Answer of `timeline`: the last steps of this run, in the order they began. */
export interface StepTimeline {
  readonly steps: readonly TimelineStep[];
  /** Earlier steps of this run that are no longer kept. */
  readonly dropped: number;
}

/** Answer of `findings`. */
export interface FindingsView {
  readonly stage: string;
  /** In the order they were found, each once. */
  readonly findings: readonly AnyFinding[];
  /** Findings left out because the answer would be too large for a payload. */
  readonly omitted: number;
}

/** Answer of `retryNow`: the steps whose next attempt begins. */
export interface RetryNowAnswer {
  readonly steps: readonly string[];
}
/** Answer of `hold` and `release`. */
export interface HoldAnswer {
  readonly held: boolean;
  /** When the launch goes on by itself, to its end: ISO 8601; null for a review, which has no end of its own. */
  readonly until: string | null;
}
/** Answer of `recheck`: the stage of the launch before this observation. */
export interface RecheckAnswer {
  readonly stage: string;
}
