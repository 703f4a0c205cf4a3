import type { BlobStore } from '@launch/blob-store';
import type { ObserverPair } from '@launch/chain';
import type { Compiler } from '@launch/compiler';
import { travellingFindings, type CreateRequest, type Finding } from '@launch/contracts';
import type {
  EconomicsVerdict,
  GraphVerdict,
  IssuedReceipt,
  IssuedRefusal,
  LaunchRef,
  ReceiptInput,
  RefusalInput,
  RehearsalVerdict,
  SignedPermit,
  SimulationVerdict,
  StepVerdict,
  Hex,
} from '@launch/contracts/orchestration';
import { withInventoryBindings } from '@launch/evm';
import { judge, MULTI_ROLE_SCAN } from '@launch/launch-rules';
import { failpoint } from '@launch/platform';
import { compileAndMatch, type CompileOutcome } from './compilation/compile-and-match.service.js';
import type { CompiledLaunch } from './compilation/compiled-launch.schema.js';
import { judgeEconomics } from './economics/judge-economics.service.js';
import { judgeGraph } from './graph/judge-graph.service.js';
import type { ReceiptService } from './receipt/receipt.service.js';
import type { ReceiptSigner } from './receipt/receipt.signer.js';
import { issueRefusal } from './receipt/refusal.service.js';
import type { RehearsalService } from './rehearsal/rehearse-launch.service.js';
import type { RequestLoader } from './request/request.loader.js';
import type { SimulationService } from './simulation/simulate-handoff.service.js';

export interface StepDependencies {
  readonly blobs: BlobStore;
  readonly compiler: Compiler;
  readonly l2: ObserverPair;
  readonly loader: RequestLoader;
  readonly receipts: ReceiptService;
  readonly signer: ReceiptSigner;
  readonly rehearsals: RehearsalService;
  readonly simulations: SimulationService;
  readonly now: () => Date;
}

/** What admission does, step by step; an activity is one of these, or several in a row. Each loads the request by hash for itself. */
export interface AdmissionSteps {
  scanDeclaredRuntimes(ref: LaunchRef): Promise<StepVerdict>;
  compileAndMatch(ref: LaunchRef, signal: AbortSignal): Promise<CompileOutcome>;
  judgeGraph(ref: LaunchRef, compiled: CompiledLaunch): Promise<GraphVerdict>;
  judgeEconomics(ref: LaunchRef): Promise<EconomicsVerdict>;
  issueReceipt(input: ReceiptInput): Promise<IssuedReceipt>;
  issueRefusal(input: RefusalInput): Promise<IssuedRefusal>;
  rehearseLaunch(ref: LaunchRef, economicsHash: Hex): Promise<RehearsalVerdict>;
  simulateHandoff(ref: LaunchRef & { readonly launchId: string }, permit: SignedPermit): Promise<SimulationVerdict>;
}

const ordered = <V extends StepVerdict>(verdict: V): V => ({
  ...verdict,
  findings: travellingFindings(verdict.findings),
});
/** A refusal by what is declared about known contracts says so. */
const refusing = <V extends { readonly findings: readonly Finding[] }>(request: CreateRequest, verdict: V): V =>
  ordered({ ...verdict, findings: withInventoryBindings(request, verdict.findings) });

export function createAdmissionSteps(deps: StepDependencies): AdmissionSteps {
  const { blobs, compiler, l2, loader, receipts, signer, rehearsals, simulations, now } = deps;
  return {
    scanDeclaredRuntimes: async (ref) =>
      ordered({ findings: judge(MULTI_ROLE_SCAN, { request: await loader.load(ref) }) }),

    async compileAndMatch(ref, signal) {
      const request = await loader.load(ref);
      failpoint('admission.compile', 300);
      const outcome = await compileAndMatch(request, compiler, signal);
      return outcome.findings.length > 0 || outcome.compiled === null
        ? refusing(request, { findings: outcome.findings, compiled: null })
        : outcome;
    },

    async judgeGraph(ref, compiled) {
      const request = await loader.load(ref);
      return refusing(request, await judgeGraph(request, compiled, l2, now()));
    },

    judgeEconomics: async (ref) => ordered(judgeEconomics(await loader.load(ref))),
    issueReceipt: async (input) => receipts.issue(await loader.load(input.ref), input),
    issueRefusal: (input) => issueRefusal({ blobs, signer }, input),
    rehearseLaunch: async (ref, economicsHash) => rehearsals.rehearse(await loader.load(ref), ref, economicsHash),
    simulateHandoff: async (ref, permit) => simulations.simulate(await loader.load(ref), ref, permit),
  };
}
