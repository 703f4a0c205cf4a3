import { ApplicationFailure } from '@temporalio/common';
import type { BlobStore } from '@launch/blob-store';
import { admissionInputs, planAdmissionInputs } from '@launch/contracts/activities';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { AdmissionActivities, LaunchRef, PlanAdmissionActivities } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { Activities, type ActivityEdge } from '@launch/worker';
import type { AdmissionSteps } from './admission.steps.js';
import { compiledLaunchSchema, type CompiledLaunch } from './compilation/compiled-launch.schema.js';
import { judgeRequest } from './judgement/judge-request.service.js';

export interface ActivityDependencies {
  readonly steps: AdmissionSteps;
  readonly blobs: BlobStore;
  readonly onTrouble: ActivityEdge['onTrouble'];
}

const PREFLIGHT_OWNER = 'preflight';
const FAILED = 'ADMISSION_STEP_FAILED';

/** The activities of `launch-admission`. */
export function createAdmissionActivities({
  steps,
  blobs,
  onTrouble,
}: ActivityDependencies): Activities<AdmissionActivities & PlanAdmissionActivities> {
  const keep = (ref: LaunchRef, compiled: CompiledLaunch): Promise<Sha256Digest> => {
    const bytes = canonicalizeJson(compiled);
    return ref.launchId === null ? blobs.putTemporary(bytes, PREFLIGHT_OWNER) : blobs.put(bytes);
  };
  const compiledOf = async (digest: Sha256Digest): Promise<CompiledLaunch> =>
    compiledLaunchSchema.parse(assertCanonicalJson(await blobs.get(digest)));

  return new Activities<AdmissionActivities & PlanAdmissionActivities>(
    { ...admissionInputs, ...planAdmissionInputs },
    {
      judgeRequest: (ref, compilation, { progress }) => judgeRequest(steps, ref, compilation, progress),
      judgePreflight: (ref, compilation) => steps.judgePreflight(ref, compilation),
      scanDeclaredRuntimes: (ref) => steps.scanDeclaredRuntimes(ref),

      async compileAndMatch(ref, { signal }) {
        const { findings, compiled } = await steps.compileAndMatch(ref, signal);
        return { findings, compiledSha256: compiled === null ? null : await keep(ref, compiled) };
      },

      judgeGraph: async (ref, compiledSha256) => steps.judgeGraph(ref, await compiledOf(compiledSha256)),
      judgeEconomics: (ref) => steps.judgeEconomics(ref),
      issueReceipt: (input) => steps.issueReceipt(input),
      issueRefusal: (input) => steps.issueRefusal(input),
      rehearseLaunch: (ref, economicsHash) => steps.rehearseLaunch(ref, economicsHash),

      readUsdReference: (ref) => steps.readUsdReference(reserved(ref, 'readUsdReference')),
      simulateHandoff: (ref, permit, usdReferenceSha256) =>
        steps.simulateHandoff(reserved(ref, 'simulateHandoff'), permit, usdReferenceSha256),
      simulateStep: (input) => steps.simulateStep(input),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
}

function reserved(ref: LaunchRef, step: string): LaunchRef & { readonly launchId: string } {
  const { launchId } = ref;
  if (launchId === null) throw ApplicationFailure.nonRetryable(`${step} needs a reserved launch`, 'LAUNCH_REQUIRED');
  return { ...ref, launchId };
}
