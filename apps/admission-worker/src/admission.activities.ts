import { ApplicationFailure } from '@temporalio/common';
import type { BlobStore, Sha256Digest } from '@launch/blob-store';
import type { ObserverPair } from '@launch/chain';
import type { Compiler } from '@launch/compiler';
import { travellingFindings, type CreateRequest } from '@launch/contracts';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { AdmissionActivities, LaunchRef, StepVerdict } from '@launch/contracts/orchestration';
import { withInventoryBindings } from '@launch/evm';
import { failpoint, isOutage } from '@launch/platform';
import { activityStep, type StepOptions } from '@launch/temporal';
import { compileAndMatch } from './compilation/compile-and-match.service.js';
import { compiledLaunchSchema, type CompiledLaunch } from './compilation/compiled-launch.schema.js';
import { judgeEconomics } from './economics/judge-economics.service.js';
import { judgeGraph } from './graph/judge-graph.service.js';
import type { ReceiptService } from './receipt/receipt.service.js';
import type { ReceiptSigner } from './receipt/receipt.signer.js';
import { issueRefusal } from './receipt/refusal.service.js';
import type { RehearsalService } from './rehearsal/rehearse-launch.service.js';
import type { RequestLoader } from './request/request.loader.js';
import { scanDeclaredRuntimes } from './scan/scan-declared-runtimes.service.js';
import type { SimulationService } from './simulation/simulate-handoff.service.js';

export interface AdmissionDependencies {
  readonly blobs: BlobStore;
  readonly compiler: Compiler;
  readonly l2: ObserverPair;
  readonly loader: RequestLoader;
  readonly receipts: ReceiptService;
  readonly signer: ReceiptSigner;
  readonly rehearsals: RehearsalService;
  readonly simulations: SimulationService;
  readonly now: () => Date;
  readonly onTrouble: StepOptions['onTrouble'];
}

const PREFLIGHT_OWNER = 'preflight';

const ordered = <V extends StepVerdict>(verdict: V): V => ({
  ...verdict,
  findings: travellingFindings(verdict.findings),
});
/** A refusal by what is declared about known contracts says so. */
const refusing = <V extends StepVerdict>(request: CreateRequest, verdict: V): V =>
  ordered({ ...verdict, findings: withInventoryBindings(request, verdict.findings) });

/** The activities of `launch-admission`; each loads the request by hash for itself. */
export function createAdmissionActivities(deps: AdmissionDependencies): AdmissionActivities {
  const { blobs, compiler, l2, loader, receipts, signer, rehearsals, simulations, now } = deps;
  const step = activityStep({ isOutage, unknown: 'ADMISSION_STEP_FAILED', onTrouble: deps.onTrouble });

  const keep = (ref: LaunchRef, compiled: CompiledLaunch): Promise<Sha256Digest> => {
    const bytes = canonicalizeJson(compiled);
    return ref.launchId === null ? blobs.putTemporary(bytes, PREFLIGHT_OWNER) : blobs.put(bytes);
  };
  const compiledOf = async (digest: string): Promise<CompiledLaunch> =>
    compiledLaunchSchema.parse(assertCanonicalJson(await blobs.get(digest as Sha256Digest)));

  return {
    scanDeclaredRuntimes: (ref) =>
      step(async () => ordered({ findings: scanDeclaredRuntimes(await loader.load(ref)) })),

    compileAndMatch: (ref) =>
      step(async (signal) => {
        const request = await loader.load(ref);
        failpoint('admission.compile', 300);
        const outcome = await compileAndMatch(request, compiler, signal);
        if (outcome.findings.length > 0 || outcome.compiled === null)
          return refusing(request, { findings: outcome.findings, compiledSha256: null });
        return { findings: [], compiledSha256: await keep(ref, outcome.compiled) };
      }),

    judgeGraph: (ref, compiledSha256) =>
      step(async () => {
        const request = await loader.load(ref);
        return refusing(request, await judgeGraph(request, await compiledOf(compiledSha256), l2, now()));
      }),

    judgeEconomics: (ref) => step(async () => ordered(judgeEconomics(await loader.load(ref)))),

    issueReceipt: (input) => step(async () => receipts.issue(await loader.load(input.ref), input)),

    issueRefusal: (input) => step(() => issueRefusal({ blobs, signer }, input)),

    rehearseLaunch: (ref, economicsHash) =>
      step(async () => rehearsals.rehearse(await loader.load(ref), ref, economicsHash)),

    simulateHandoff: (ref, permit) =>
      step(async () => {
        const { launchId } = ref;
        if (launchId === null)
          throw ApplicationFailure.nonRetryable('simulateHandoff needs a reserved launch', 'LAUNCH_REQUIRED');
        return simulations.simulate(await loader.load(ref), { ...ref, launchId }, permit);
      }),
  };
}
