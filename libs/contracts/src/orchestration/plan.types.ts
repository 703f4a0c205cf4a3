import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { StepKind } from '../plans/plan-steps.js';
import type { PlanStatus, StepStatus } from '../states/plan-states.js';
import type { ObservationMemory, ObservePollResult } from './finality.types.js';

/** A signal of `runPlan`: a `StepProof`, a hint without authority. */
export const STEP_PROOF_SIGNAL = 'stepProof';
/** The least remaining time for an offer, because its controller still has to sign and a block has to include it. */
export const LEAST_OFFER_SECONDS = 60;
/** The most named transactions that one step observes, as for a launch, and the most for all open steps together. */
export const MAX_STEP_PROOFS = 16;
export const MAX_PLAN_PROOFS = 128;

/** A plan by its identity and hashes; the hand-off contains the steps. */
export interface PlanRef {
  /** The `launch_id` of the plan's row in the gateway. */
  readonly planId: string;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
}

/** A transaction that a client named for a step. */
export interface NamedProof {
  readonly stepId: string;
  readonly transactionHash: Hex;
}

/** Input of `runPlan`; its id is `plan/<planId>`. */
export interface RunPlanInput extends PlanRef {
  readonly requestHash: Hex;
  readonly controller: Hex;
  /** End of the permit's window, decimal unix seconds. */
  readonly deadline: string;
  /** Transactions that clients named so far. */
  readonly proofs: readonly NamedProof[];
  /** Present after the workflow continued as new. */
  readonly resume?: PlanMemory;
}

/** A step of the hand-off, without its bytes. */
export interface PlanStepPart {
  readonly stepId: string;
  readonly ordinal: number;
  readonly kind: StepKind;
  /** Steps that must be included before this one. */
  readonly dependsOn: readonly string[];
}

export interface ReadPlanResult {
  /** In their order. */
  readonly steps: readonly PlanStepPart[];
}

/** The state of a transaction that a client named for a step or that an observer found. */
export interface StepTransaction {
  readonly transactionHash: Hex;
  readonly source: 'hint' | 'observed';
  readonly status: 'unseen' | 'seen' | 'not_found' | 'not_this_step' | 'included' | 'reverted';
}

/** State of one step in a run. */
export interface PlanStepMemory extends PlanStepPart {
  readonly status: StepStatus;
  readonly observed: ObservationMemory | null;
  /** Named transactions in their order of arrival, and the one that was found. */
  readonly transactions: readonly StepTransaction[];
  /** Blob of the evidence of a step that ended. */
  readonly evidenceSha256: Sha256Digest | null;
}

/** State that one run of a plan passes to the next. */
export interface PlanMemory {
  /** Revision of the last write; every write has a greater one. */
  readonly sequence: number;
  /** Whether an operator held the plan. */
  readonly held: boolean;
  readonly steps: readonly PlanStepMemory[];
}

export interface ObserveStepInput extends PlanRef {
  readonly stepId: string;
  readonly hints: readonly Hex[];
  readonly memory: ObservationMemory | null;
}

/** One observation of a step: like that of a launch, with the state of each observed transaction. */
export interface ObserveStepResult extends Pick<
  ObservePollResult,
  'memory' | 'observation' | 'estimatedNextStageAt' | 'basis' | 'nextPollMs' | 'evidenceSha256'
> {
  readonly transactions: readonly StepTransaction[];
}

export interface PlanRecordInput extends PlanRef {
  /** Present for the step that stamps: `register` or `atomic-launch`. */
  readonly memory: ObservationMemory;
  readonly evidenceSha256: Sha256Digest;
  readonly finalizedAt: string;
}

/** Steps of a plan on `launch-finality`. */
export interface PlanFinalityActivities {
  readPlan(input: PlanRef): Promise<ReadPlanResult>;
  /** Observes one step once through both observers of both chains; never changes state on disagreement. */
  observeStep(input: ObserveStepInput): Promise<ObserveStepResult>;
  /** Builds the public record of a finalized plan; returns its blob. */
  buildPlanRecord(input: PlanRecordInput): Promise<{ readonly recordSha256: Sha256Digest }>;
}

export interface StepInput extends PlanRef {
  readonly stepId: string;
}

/** The block at which the step's exact transaction succeeded on both simulators. */
export interface StepSimulation {
  /** Decimal. */
  readonly blockNumber: string;
  readonly blockHash: Hex;
  /** Decimal. */
  readonly gasUsed: string;
}

export type StepSimulationVerdict =
  /** Both simulators agree at the head that the step succeeds. */
  | { readonly kind: 'agreed'; readonly simulation: StepSimulation }
  /** Both report a revert at the head; it may succeed at a later head. */
  | { readonly kind: 'reverted'; readonly reason: string }
  /** The simulators differ, or one makes no statement. */
  | { readonly kind: 'indeterminate'; readonly reason: string }
  /** Less than `LEAST_OFFER_SECONDS` are left of the window. */
  | { readonly kind: 'window-passed' };

/** The step of a plan on `launch-admission`. */
export interface PlanAdmissionActivities {
  /** Executes the exact bytes of a step, or of the batch, at the head. */
  simulateStep(input: StepInput): Promise<StepSimulationVerdict>;
}

/** The state of a step as its owner reads it. */
export interface StepFinality extends Pick<ObservationMemory, 'inclusion' | 'posting' | 'checkpoint'> {
  readonly stage: 'pending' | 'included' | 'posted' | 'ethereum_finalized';
  readonly estimatedNextStageAt: string | null;
}

/** The new row of a step. */
export interface StepProjection {
  readonly stepId: string;
  readonly status: StepStatus;
  /**
   * Present when the step is offered. The first value stays with the authorization; a step that is offered again after
   * a reorganisation shows the same bytes.
   */
  readonly simulation: StepSimulation | null;
  readonly finality: StepFinality;
  readonly transactions: readonly StepTransaction[];
  readonly evidenceSha256: Sha256Digest | null;
}

/** Statuses of a plan while its workflow runs. */
export type RunningPlanStatus = Extract<PlanStatus, 'awaiting_wallet' | 'in_progress' | 'finalizing'>;
export type PlanOutcome = Extract<PlanStatus, 'finalized' | 'failed' | 'expired'>;

export interface RecordPlanStepsInput {
  readonly planId: string;
  /**
   * Greater with every write of a plan, over all of its runs: milliseconds of the workflow's clock. A step whose row has a
   * greater one stays as it is.
   */
  readonly sequence: number;
  readonly status: RunningPlanStatus;
  /** The steps that changed. */
  readonly steps: readonly StepProjection[];
}

export interface RecordPlanEndedInput {
  readonly planId: string;
  readonly sequence: number;
  readonly outcome: PlanOutcome;
  /** Findings of a failed plan; empty for other ends. */
  readonly findings: readonly AnyFinding[];
  /** The public record and its evidence; for a finalized plan only. */
  readonly record: { readonly recordSha256: Sha256Digest; readonly evidenceSha256: Sha256Digest } | null;
}

/** The client's view of a plan, on `launch-gateway`. Each is idempotent; a late call changes nothing. */
export interface PlanGatewayActivities {
  /** Writes all changed steps and the plan's status in one transaction. */
  recordPlanSteps(input: RecordPlanStepsInput): Promise<void>;
  /** Ends the plan. All of its steps were recorded before. */
  recordPlanEnded(input: RecordPlanEndedInput): Promise<void>;
}
