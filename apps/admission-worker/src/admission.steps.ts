import type { BlobStore } from '@launch/blob-store';
import type { ObserverPair } from '@launch/chain';
import type { Compiler } from '@launch/compiler';
import { travellingFindings, type AnyFinding } from '@launch/contracts/errors';
import type {
  CompilationVerdict,
  EconomicsVerdict,
  GraphVerdict,
  IssuedReceipt,
  IssuedRefusal,
  LaunchRef,
  PreflightJudgement,
  ReceiptInput,
  RefusalInput,
  RehearsalVerdict,
  ShortCompilationVerdict,
  SignedPermit,
  SimulationVerdict,
  StepInput,
  StepSimulationVerdict,
  StepVerdict,
  UsdReferenceVerdict,
} from '@launch/contracts/orchestration';
import type { Sha256Digest, Hex } from '@launch/contracts/primitives';
import { isCustomLaunchFamily } from '@launch/contracts/states';
import { failpoint, type Ed25519Signer } from '@launch/platform';
import { AdmissionError } from './admission.error.js';
import { compileAndMatch, compileDeclared, type CompileOutcome } from './compilation/compile-and-match.service.js';
import type { CompileLane } from './compilation/compile-spending.js';
import type { CompiledLaunch } from './compilation/compiled-launch.schema.js';
import { judgeEconomics } from './economics/judge-economics.service.js';
import type { CustomLaunchContexts } from './families/custom-launch-contexts.js';
import type { JudgedLaunch } from './families/judged-launch.js';
import { judgeGraph } from './graph/judge-graph.service.js';
import { judgePreflight } from './judgement/judge-preflight.service.js';
import type { ReceiptService } from './receipt/receipt.service.js';
import { issueRefusal } from './receipt/refusal.service.js';
import type { RehearsalService } from './rehearsal/rehearse-launch.service.js';
import type { RequestLoader } from './request/request.loader.js';
import type { SimulationService } from './simulation/simulate-handoff.service.js';
import type { UsdReferenceService } from './usd-reference/usd-reference.service.js';

export interface StepDependencies {
  readonly blobs: BlobStore;
  readonly compiler: Compiler;
  readonly compileTimes: CompileTimes;
  readonly contexts: CustomLaunchContexts;
  readonly l2: ObserverPair;
  readonly loader: RequestLoader;
  readonly receipts: ReceiptService;
  readonly signer: Ed25519Signer;
  readonly rehearsals: RehearsalService;
  readonly simulations: SimulationService;
  readonly simulateStep: AdmissionSteps['simulateStep'];
  readonly usdReferences: UsdReferenceService;
  readonly now: () => Date;
}

/** Processor time of a request's compilation, in ms. */
export interface CompileTimes {
  /** Bounds all of its units together. */
  readonly budgetMs: number;
  /** Bounds a compilation before it continues among the long ones. */
  readonly shortMs: number;
}

type ReservedRef = LaunchRef & { readonly launchId: string };

/** The steps of admission; an activity runs one of these, or several in a row. Each loads the request by hash. */
export interface AdmissionSteps {
  compileRequest(ref: LaunchRef, signal: AbortSignal): Promise<ShortCompilationVerdict>;
  compileLongRequest(ref: LaunchRef, signal: AbortSignal): Promise<CompilationVerdict>;
  judgePreflight(ref: LaunchRef, compilation: CompilationVerdict): Promise<PreflightJudgement>;
  judgeGraph(ref: LaunchRef, compiled: CompiledLaunch): Promise<GraphVerdict>;
  judgeEconomics(ref: LaunchRef): Promise<EconomicsVerdict>;
  issueReceipt(input: ReceiptInput): Promise<IssuedReceipt>;
  issueRefusal(input: RefusalInput): Promise<IssuedRefusal>;
  rehearseLaunch(ref: LaunchRef, economicsHash: Hex): Promise<RehearsalVerdict>;
  readUsdReference(ref: ReservedRef): Promise<UsdReferenceVerdict>;
  simulateHandoff(
    ref: ReservedRef,
    permit: SignedPermit,
    usdReferenceSha256?: Sha256Digest,
  ): Promise<SimulationVerdict>;
  /** Simulates one step of a signed plan at the head. */
  simulateStep(input: StepInput): Promise<StepSimulationVerdict>;
}

const ordered = <V extends StepVerdict>(verdict: V): V => ({
  ...verdict,
  findings: travellingFindings(verdict.findings),
});
/** Adds to a refusal the declared facts about known contracts. */
const refusing = <V extends StepVerdict>(launch: JudgedLaunch, verdict: V): V => ({
  ...verdict,
  findings: travellingFindings(launch.refusing(verdict.findings)),
});

function verdictOf<Found extends AnyFinding>(
  outcome: CompileOutcome<Found> | 'unfinished',
  refusing: (findings: readonly Found[]) => readonly AnyFinding[],
): ShortCompilationVerdict {
  if (outcome === 'unfinished') return { kind: outcome };
  const { findings, compiled } = outcome;
  return findings.length > 0 || compiled === null
    ? { kind: 'refused', findings: refusing(findings) }
    : { kind: 'compiled', compiled };
}

/** Returns the verdict of an attempt that has the whole budget. */
function finished(verdict: ShortCompilationVerdict): CompilationVerdict {
  if (verdict.kind === 'unfinished') throw new TypeError('an attempt at the whole budget ended before it');
  return verdict;
}

export function createAdmissionSteps(deps: StepDependencies): AdmissionSteps {
  const { blobs, compiler, contexts, l2, loader, receipts, signer, rehearsals, simulations, usdReferences, now } = deps;
  const { simulateStep, compileTimes } = deps;
  const { budgetMs, shortMs } = compileTimes;
  const short: CompileLane = { budgetMs, attemptMs: Math.min(shortMs, budgetMs), spentMs: 0 };
  const whole: CompileLane = { budgetMs, attemptMs: Number.POSITIVE_INFINITY, spentMs: short.attemptMs };

  const compiled = async (ref: LaunchRef, lane: CompileLane, signal: AbortSignal): Promise<ShortCompilationVerdict> => {
    const launch = await loader.load(ref);
    // The other checks of a preflight of a custom-launch request or a plan are judged as well, even if these fail.
    if (ref.launchId === null && isCustomLaunchFamily(launch.family))
      return verdictOf(await compileDeclared(launch.request, compiler, lane, signal), travellingFindings);
    const declared = launch.scan();
    if (declared.length > 0) return { kind: 'refused', findings: travellingFindings(declared) };
    failpoint('admission.compile', 300);
    return verdictOf(await compileAndMatch(launch, compiler, lane, signal), (found) =>
      travellingFindings(launch.refusing(found)),
    );
  };

  return {
    compileRequest: (ref, signal) => compiled(ref, short, signal),
    compileLongRequest: async (ref, signal) => finished(await compiled(ref, whole, signal)),

    async judgePreflight(ref, compilation) {
      const launch = await loader.load(ref);
      if (launch.family === 'multi-role.v2')
        throw new AdmissionError('FAMILY_UNSUPPORTED', 'multi-role requests are judged by judgeRequest');
      return judgePreflight(launch.request, compilation, l2);
    },

    async judgeGraph(ref, compiled) {
      const launch = await loader.load(ref);
      return refusing(launch, await judgeGraph(launch, compiled, l2, now()));
    },

    judgeEconomics: async (ref) => ordered(judgeEconomics(await loader.load(ref))),
    issueReceipt: async (input) => receipts.issue(await loader.load(input.ref), input),
    issueRefusal: (input) => issueRefusal({ blobs, signer, contexts }, input),
    rehearseLaunch: async (ref, economicsHash) => rehearsals.rehearse(await loader.load(ref), ref, economicsHash),
    readUsdReference: async (ref) => usdReferences.read(await loader.load(ref), ref),
    simulateHandoff: async (ref, permit, usdReferenceSha256) =>
      simulations.simulate(await loader.load(ref), ref, permit, usdReferenceSha256),
    simulateStep,
  };
}
