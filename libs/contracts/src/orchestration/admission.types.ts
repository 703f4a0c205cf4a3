import type { Disposition, SourceAssessment } from '../multi-role/resource.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { ErrorCode, Finding, LaunchRef, StepVerdict } from './launch-ref.types.js';
import type { SignedPermit } from './custody.types.js';

export interface CompileVerdict extends StepVerdict {
  /** Blob with the compiled output the later steps read; null when compiling failed. */
  readonly compiledSha256: Sha256Digest | null;
}

export interface GraphVerdict extends StepVerdict {
  readonly materialized: readonly { readonly account: Hex; readonly runtimeCodeHash: Hex }[];
}

export interface EconomicsVerdict extends StepVerdict {
  readonly economicsHash: Hex | null;
  readonly recipe: { readonly id: string; readonly version: string } | null;
}

export interface ReceiptInput {
  readonly ref: LaunchRef;
  readonly findings: readonly Finding[];
  readonly economicsHash: Hex | null;
  readonly recipe: { readonly id: string; readonly version: string } | null;
  readonly materialized: readonly { readonly account: Hex; readonly runtimeCodeHash: Hex }[];
}

export interface IssuedReceipt {
  /** Blob of the signed receipt. */
  readonly receiptSha256: Sha256Digest;
  readonly assessment: SourceAssessment;
  readonly disposition: Disposition;
}

export interface RefusalInput {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  /** Why, each once. */
  readonly codes: readonly ErrorCode[];
}

export interface IssuedRefusal {
  /** Blob of the signed refusal. */
  readonly refusalSha256: Sha256Digest;
}

export type SimulationVerdict =
  | { readonly kind: 'simulated'; readonly handoffSha256: Sha256Digest }
  | { readonly kind: 'reverted'; readonly findings: readonly Finding[] }
  | { readonly kind: 'window-passed' }
  /** Nothing is wrong but what the launcher alone can mend, inside the window. */
  | { readonly kind: 'waiting'; readonly reason: 'CONTROLLER_FUNDS_MISSING' };

/** What came of a launch simulated before custody; what was executed never leaves the step. */
export type RehearsalVerdict =
  | { readonly kind: 'passed' }
  /** It reverts, and every executor says so: `SIMULATION_REVERTED` with the decoded reason. */
  | { readonly kind: 'reverted'; readonly findings: readonly Finding[] }
  /** Nobody could say, and no later look can help: `SIMULATION_INDETERMINATE`. */
  | { readonly kind: 'indeterminate'; readonly findings: readonly Finding[] }
  /** Custody, which judges the window itself, answers. */
  | { readonly kind: 'window-passed' };

/** Steps of admission; all on `launch-admission`. */
export interface AdmissionActivities {
  /**
   * The whole source decision in one activity: scan, compile, graph, economics, receipt. It names in its heartbeats, and with
   * its failure, the step that it is at.
   */
  judgeRequest(ref: LaunchRef): Promise<EvaluateSourceResult>;
  /** Loads the request by hash and scans every declared runtime by the context's policy: cheapest refusal first. */
  scanDeclaredRuntimes(ref: LaunchRef): Promise<StepVerdict>;
  /** Compiles every unit with its pinned solc and matches creation and runtime bytecode exactly. */
  compileAndMatch(ref: LaunchRef): Promise<CompileVerdict>;
  /** Graph, pool, hook permissions; executes the creation codes as CREATE2 from the router and scans what they return. */
  judgeGraph(ref: LaunchRef, compiledSha256: Sha256Digest): Promise<GraphVerdict>;
  /** Recognises the economics by reviewed templates and compares them with what is declared and funded. */
  judgeEconomics(ref: LaunchRef, compiledSha256: Sha256Digest): Promise<EconomicsVerdict>;
  /** Writes the receipt; signs it when it admits a launch. */
  issueReceipt(input: ReceiptInput): Promise<IssuedReceipt>;
  /** Writes and signs what custody refuses a launch by; of one launch and its codes always the same bytes. */
  issueRefusal(input: RefusalInput): Promise<IssuedRefusal>;
  /** Simulates the launch with an authority that only the simulation knows, before anything is signed. */
  rehearseLaunch(ref: LaunchRef, economicsHash: Hex): Promise<RehearsalVerdict>;
  /** Simulates the exact signed transaction inside its window and stores the wallet hand-off. */
  simulateHandoff(ref: LaunchRef, permit: SignedPermit): Promise<SimulationVerdict>;
}

/** Input of `evaluateSource`. */
export interface EvaluateSourceInput {
  readonly ref: LaunchRef;
}

/** Input of `admitLaunch`; nonce and router name what custody frees when it refuses. */
export interface AdmitLaunchInput {
  readonly ref: LaunchRef;
  /** Decimal uint256 of the request. */
  readonly nonce: string;
  readonly router: Hex;
  /** When the permit's window ends, decimal unix seconds; absent in inputs of an earlier version. */
  readonly deadline?: string;
}

export interface EvaluateSourceResult {
  readonly receipt: IssuedReceipt;
  readonly economicsHash: Hex | null;
  readonly findings: readonly Finding[];
}
