import type { Finding } from '../errors/finding.js';
import type { AnyCode, AnyFinding, CustomLaunchFinding } from '../errors/custom-launch.catalogue.js';
import type { CustomLaunchAssessment } from '../custom-launch/admission-documents.schema.js';
import type { LaunchFamily } from '../states/launch-families.js';
import type { SourceAssessment } from '../multi-role/resource.schema.js';
import type { Disposition } from '../launch/admission-parts.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { LaunchRef, StepVerdict } from './launch-ref.types.js';
import type { CompilationVerdict } from './compilation.types.js';
import type { SignedPermit } from './custody.types.js';
import type { StatementSignature } from './statement.types.js';

export interface GraphVerdict extends StepVerdict {
  readonly materialized: readonly { readonly account: Hex; readonly runtimeCodeHash: Hex }[];
}

export interface EconomicsVerdict extends StepVerdict {
  readonly economicsHash: Hex | null;
  readonly recipe: { readonly id: string; readonly version: string } | null;
}

export interface ReceiptInput {
  readonly ref: LaunchRef;
  readonly findings: readonly AnyFinding[];
  readonly economicsHash: Hex | null;
  readonly recipe: { readonly id: string; readonly version: string } | null;
  readonly materialized: readonly { readonly account: Hex; readonly runtimeCodeHash: Hex }[];
}

export interface IssuedReceipt<Assessment = SourceAssessment | CustomLaunchAssessment> {
  /** Blob of the signed receipt. */
  readonly receiptSha256: Sha256Digest;
  readonly assessment: Assessment;
  readonly disposition: Disposition;
}

export interface RefusalInput {
  readonly launchId: string;
  /** Absent for multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  /** Codes of the refusal, each once. */
  readonly codes: readonly AnyCode[];
}

export interface IssuedRefusal {
  /** Blob of the signed refusal. */
  readonly refusalSha256: Sha256Digest;
}

export type SimulationVerdict =
  | { readonly kind: 'simulated'; readonly handoffSha256: Sha256Digest; readonly signed?: StatementSignature }
  | { readonly kind: 'reverted'; readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature }
  /** The gas costs more than the request's own budget allows: `BUDGET_EXCEEDED`. The permit is never shown. */
  | { readonly kind: 'over-budget'; readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature }
  | { readonly kind: 'window-passed' }
  /** Every finding is one that the launcher can correct within the window. */
  | { readonly kind: 'waiting'; readonly reason: 'CONTROLLER_FUNDS_MISSING'; readonly signed?: StatementSignature };

/** The outcome of a simulation before custody. The executed transaction never leaves the step. */
export type RehearsalVerdict =
  | { readonly kind: 'passed' }
  /** The launch reverts on every executor: `SIMULATION_REVERTED` with the decoded reason. */
  | { readonly kind: 'reverted'; readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature }
  /** The result is unknown, and another attempt cannot change that: `SIMULATION_INDETERMINATE`. */
  | { readonly kind: 'indeterminate'; readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature }
  /** Custody judges the window itself and decides. */
  | { readonly kind: 'window-passed' };

/** The server's own reading of the one-USD reference, made for one launch. */
export type UsdReferenceVerdict =
  | {
      readonly kind: 'usable';
      /** Blob of the signed reading; custody judges it again. */
      readonly usdReferenceSha256: Sha256Digest;
      /** Decimal wei. */
      readonly oneUsdReferenceWei: string;
      /** Unix seconds, decimal. */
      readonly readAt: string;
    }
  /** The launch has no initial buy. */
  | { readonly kind: 'none' }
  /** The feeds are unusable now; the workflow reads them again. */
  | {
      readonly kind: 'unusable';
      readonly reason: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED';
      readonly signed?: StatementSignature;
    }
  /** The buy is below the reference: `CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE`. */
  | { readonly kind: 'below'; readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature };

/** One check of a preflight with its outcome. `dependsOn` names the checks whose results it needs. */
export interface PreflightCheck {
  readonly checkId: string;
  readonly outcome: 'pass' | 'fail' | 'not_run' | 'indeterminate';
  readonly dependsOn: readonly string[];
  readonly findings: readonly CustomLaunchFinding[];
}

/**
 * The result of a preflight of a custom-launch request or a plan: every check of the compiler and the chain, and every
 * check that needs only the request, whether or not others fail.
 */
export interface PreflightJudgement {
  readonly checks: readonly PreflightCheck[];
}

/** Steps of admission except the compilation; all on `launch-admission`. */
export interface AdmissionActivities {
  /**
   * Makes the source decision after the compilation in one activity: graph, economics, receipt. Heartbeats and failures
   * name its current step.
   */
  judgeRequest(ref: LaunchRef, compilation: CompilationVerdict): Promise<EvaluateSourceResult>;
  /** Runs all checks of a preflight of a custom-launch request or a plan and returns each outcome. Writes nothing. */
  judgePreflight(ref: LaunchRef, compilation: CompilationVerdict): Promise<PreflightJudgement>;
  /** Writes and signs the refusal for custody. The same launch and codes give the same bytes. */
  issueRefusal(input: RefusalInput): Promise<IssuedRefusal>;
  /** Simulates the launch with an authority that exists in the simulation only, before custody signs. */
  rehearseLaunch(ref: LaunchRef, economicsHash: Hex): Promise<RehearsalVerdict>;
  /** Reads both price feeds for a custom launch or a plan with an initial buy, and signs the reading. */
  readUsdReference(ref: LaunchRef): Promise<UsdReferenceVerdict>;
  /**
   * Simulates the exact signed transaction inside its window and stores the wallet hand-off; of a plan all of its
   * calls.
   * @param usdReferenceSha256 the reading that custody signed by; absent without an initial buy.
   */
  simulateHandoff(ref: LaunchRef, permit: SignedPermit, usdReferenceSha256?: Sha256Digest): Promise<SimulationVerdict>;
}

/** Input of `evaluateSource`. */
export interface EvaluateSourceInput {
  readonly ref: LaunchRef;
}

/** Input of `admitLaunch`. */
export interface AdmitLaunchInput {
  readonly ref: LaunchRef;
  /** End of the permit's window, decimal unix seconds. */
  readonly deadline: string;
}

export interface EvaluateSourceResult<Found = AnyFinding, Assessment = SourceAssessment | CustomLaunchAssessment> {
  readonly receipt: IssuedReceipt<Assessment>;
  readonly economicsHash: Hex | null;
  readonly findings: readonly Found[];
  /** Admission's signatures for the gateway; absent for a preflight, which nothing stores. */
  readonly signed?: { readonly assessed: StatementSignature; readonly refused: StatementSignature | null };
}

/** Compilation and evaluation of a multi-role request. */
export type MultiRoleEvaluation = EvaluateSourceResult<Finding, SourceAssessment>;
