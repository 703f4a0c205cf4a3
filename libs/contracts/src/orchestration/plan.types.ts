import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { StepKind } from '../plans/plan-steps.js';
import type { PlanStatus, StepStatus } from '../states/plan-states.js';
import type { BuiltRecord, ObservedPoll } from './finality.types.js';
import type { StatementSignature } from './statement.types.js';

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
  readonly observed: SignedStepPoll | null;
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
  /** The previous poll of the step, as for a launch. */
  readonly before: SignedStepPoll | null;
}

/** The statement of one poll of a step: like that of a launch, with the state of each observed transaction. */
export interface StepPoll extends Pick<
  ObservedPoll,
  'memory' | 'observation' | 'estimatedNextStageAt' | 'evidenceSha256'
> {
  readonly transactions: readonly StepTransaction[];
}

/** A poll with the signature of the finality worker, for its next poll and for the gateway. */
export interface SignedStepPoll extends StepPoll {
  readonly signed: StatementSignature;
}

export interface ObserveStepResult extends SignedStepPoll {
  readonly basis: string | null;
  /** Delay until the next observation, in milliseconds. */
  readonly nextPollMs: number;
}

export interface PlanRecordInput extends PlanRef {
  /** The last poll of the step that stamps: `register` or `atomic-launch`. */
  readonly observed: SignedStepPoll;
}

/** Steps of a plan on `launch-finality`. */
export interface PlanFinalityActivities {
  readPlan(input: PlanRef): Promise<ReadPlanResult>;
  /** Observes one step once through both observers of both chains; never changes state on disagreement. */
  observeStep(input: ObserveStepInput): Promise<ObserveStepResult>;
  /** Builds the public record of a finalized plan; returns its blob. */
  buildPlanRecord(input: PlanRecordInput): Promise<BuiltRecord>;
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

/** A simulation with the signature of admission. */
export interface SignedStepSimulation extends StepSimulation {
  readonly signed: StatementSignature;
}

export type StepSimulationVerdict =
  /** Both simulators agree at the head that the step succeeds. */
  | { readonly kind: 'agreed'; readonly simulation: SignedStepSimulation }
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

/** The new row of a step. */
export interface StepProjection {
  readonly stepId: string;
  readonly status: StepStatus;
  /**
   * Present when the step is offered. The first value stays with the authorization; a step that is offered again after
   * a reorganisation shows the same bytes.
   */
  readonly simulation: SignedStepSimulation | null;
  /** The last poll; null for a step without one. */
  readonly observed: SignedStepPoll | null;
}

export type PlanOutcome = Extract<PlanStatus, 'finalized' | 'failed' | 'expired'>;

export interface RecordPlanStepsInput {
  readonly planId: string;
  /**
   * Greater with every write of a plan, over all of its runs: milliseconds of the workflow's clock. It orders the writes
   * of a step under one poll; a newer poll always replaces an older one.
   */
  readonly sequence: number;
  /** The steps that changed. */
  readonly steps: readonly StepProjection[];
}

export interface RecordPlanEndedInput {
  readonly planId: string;
  readonly sequence: number;
  readonly outcome: PlanOutcome;
  /** The public record and its evidence; for a finalized plan only. */
  readonly record: (BuiltRecord & { readonly evidenceSha256: Sha256Digest }) | null;
}

/** The client's view of a plan, on `launch-gateway`. Each is idempotent; a late call changes nothing. */
export interface PlanGatewayActivities {
  /** Writes all changed steps, and the status of the plan that follows from them, in one transaction. */
  recordPlanSteps(input: RecordPlanStepsInput): Promise<void>;
  /** Ends the plan by its recorded steps. */
  recordPlanEnded(input: RecordPlanEndedInput): Promise<void>;
}
