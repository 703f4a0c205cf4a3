import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { StepKind } from '../plans/plan-steps.js';
import type { PlanStatus, StepStatus } from '../states/plan-states.js';
import type { ObservationMemory, ObservePollResult } from './finality.types.js';

/** A signal of `runPlan`: a `StepProof`, a hint without authority. */
export const STEP_PROOF_SIGNAL = 'stepProof';
/** No step is offered later than this before the deadline: its controller still has to sign, and a block to take it. */
export const LEAST_OFFER_SECONDS = 60;
/** Transactions named for one step that its observation looks at, as of a launch; and for all steps that have no end yet. */
export const MAX_STEP_PROOFS = 16;
export const MAX_PLAN_PROOFS = 128;

/** A plan by identity and hashes; the steps are in the hand-off. */
export interface PlanRef {
  /** The plan's row in the gateway: its `launch_id`. */
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
  /** When the permit's window ends, decimal unix seconds. */
  readonly deadline: string;
  /** Named so far. */
  readonly proofs: readonly NamedProof[];
  /** Set when the workflow continued as new. */
  readonly resume?: PlanMemory;
}

/** A step as the hand-off has it, without its bytes. */
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

/** What became of a transaction that somebody named for a step, or that an observer found. */
export interface StepTransaction {
  readonly transactionHash: Hex;
  readonly source: 'hint' | 'observed';
  readonly status: 'unseen' | 'seen' | 'not_found' | 'not_this_step' | 'included' | 'reverted';
}

/** What a run knows of one step. */
export interface PlanStepMemory extends PlanStepPart {
  readonly status: StepStatus;
  readonly observed: ObservationMemory | null;
  /** Named ones in the order they came, and the one that was found. */
  readonly transactions: readonly StepTransaction[];
  /** Blob of the evidence of a step that ended. */
  readonly evidenceSha256: Sha256Digest | null;
}

/** What one run of a plan carries to the next. */
export interface PlanMemory {
  /** Of the last write; every write has a greater one. */
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

/** One look at a step: as of a launch, and what became of each transaction that was looked at. */
export interface ObserveStepResult extends Pick<
  ObservePollResult,
  'memory' | 'observation' | 'estimatedNextStageAt' | 'basis' | 'nextPollMs' | 'evidenceSha256'
> {
  readonly transactions: readonly StepTransaction[];
}

export interface PlanRecordInput extends PlanRef {
  /** Of the step that stamps: `register` or `atomic-launch`. */
  readonly memory: ObservationMemory;
  readonly evidenceSha256: Sha256Digest;
  readonly finalizedAt: string;
}

/** Steps of a plan on `launch-finality`. */
export interface PlanFinalityActivities {
  readPlan(input: PlanRef): Promise<ReadPlanResult>;
  /** One look at one step through both observers of both chains; never moves state on disagreement. */
  observeStep(input: ObserveStepInput): Promise<ObserveStepResult>;
  /** Builds the public record of a finalized plan; returns its blob. */
  buildPlanRecord(input: PlanRecordInput): Promise<{ readonly recordSha256: Sha256Digest }>;
}

export interface StepInput extends PlanRef {
  readonly stepId: string;
}

/** Where both simulators saw the step's exact transaction succeed. */
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
  /** Both say that it reverts there. A later head may say otherwise. */
  | { readonly kind: 'reverted'; readonly reason: string }
  /** They differ, or one of them makes no statement. */
  | { readonly kind: 'indeterminate'; readonly reason: string }
  /** Less than `LEAST_OFFER_SECONDS` are left of the window. */
  | { readonly kind: 'window-passed' };

/** The step of a plan on `launch-admission`. */
export interface PlanAdmissionActivities {
  /** Executes the exact bytes of a step, or of the batch, at the head. */
  simulateStep(input: StepInput): Promise<StepSimulationVerdict>;
}

/** Where a step stands, as its owner reads it. */
export interface StepFinality extends Pick<ObservationMemory, 'inclusion' | 'posting' | 'checkpoint'> {
  readonly stage: 'pending' | 'included' | 'posted' | 'ethereum_finalized';
  readonly estimatedNextStageAt: string | null;
}

/** A step's row as it is from now on. */
export interface StepProjection {
  readonly stepId: string;
  readonly status: StepStatus;
  /**
   * Set when the step is offered. The first one stays for ever with the authorization; a step that is offered again after
   * a reorganisation shows the same bytes.
   */
  readonly simulation: StepSimulation | null;
  readonly finality: StepFinality;
  readonly transactions: readonly StepTransaction[];
  readonly evidenceSha256: Sha256Digest | null;
}

/** What a plan is while its workflow runs. */
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
  /** Why it failed; empty for the other ends. */
  readonly findings: readonly AnyFinding[];
  /** The public record and the evidence it rests on, of a finalized plan alone. */
  readonly record: { readonly recordSha256: Sha256Digest; readonly evidenceSha256: Sha256Digest } | null;
}

/** The client's view of a plan, on `launch-gateway`. Each is idempotent; a late call changes nothing. */
export interface PlanGatewayActivities {
  /** Writes all changed steps and the plan's status in one transaction. */
  recordPlanSteps(input: RecordPlanStepsInput): Promise<void>;
  /** Ends the plan. All of its steps were recorded before. */
  recordPlanEnded(input: RecordPlanEndedInput): Promise<void>;
}
