import { ApplicationFailure } from '@temporalio/common';
import type { BlobStore } from '@launch/blob-store';
import { launchRefSchema, type Sha256Digest } from '@launch/contracts';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { AdmissionActivities, LaunchRef } from '@launch/contracts/orchestration';
import { isOutage } from '@launch/platform';
import { activityStep, type StepOptions } from '@launch/worker';
import type { AdmissionSteps } from './admission.steps.js';
import { compiledLaunchSchema, type CompiledLaunch } from './compilation/compiled-launch.schema.js';
import { judgeRequest } from './judgement/judge-request.service.js';

export interface ActivityDependencies {
  readonly steps: AdmissionSteps;
  readonly blobs: BlobStore;
  readonly onTrouble: StepOptions['onTrouble'];
}

const PREFLIGHT_OWNER = 'preflight';

/** The activities of `launch-admission`. */
export function createAdmissionActivities({ steps, blobs, onTrouble }: ActivityDependencies): AdmissionActivities {
  const step = activityStep({ isOutage, unknown: 'ADMISSION_STEP_FAILED', onTrouble });

  const keep = (ref: LaunchRef, compiled: CompiledLaunch): Promise<Sha256Digest> => {
    const bytes = canonicalizeJson(compiled);
    return ref.launchId === null ? blobs.putTemporary(bytes, PREFLIGHT_OWNER) : blobs.put(bytes);
  };
  const compiledOf = async (digest: Sha256Digest): Promise<CompiledLaunch> =>
    compiledLaunchSchema.parse(assertCanonicalJson(await blobs.get(digest)));

  return {
    judgeRequest: (ref) =>
      step((signal, progress) => judgeRequest(steps, launchRefSchema.parse(ref), progress, signal)),

    scanDeclaredRuntimes: (ref) => step(() => steps.scanDeclaredRuntimes(ref)),

    compileAndMatch: (ref) =>
      step(async (signal) => {
        const { findings, compiled } = await steps.compileAndMatch(ref, signal);
        return { findings, compiledSha256: compiled === null ? null : await keep(ref, compiled) };
      }),

    judgeGraph: (ref, compiledSha256) => step(async () => steps.judgeGraph(ref, await compiledOf(compiledSha256))),
    judgeEconomics: (ref) => step(() => steps.judgeEconomics(ref)),
    issueReceipt: (input) => step(() => steps.issueReceipt(input)),
    issueRefusal: (input) => step(() => steps.issueRefusal(input)),
    rehearseLaunch: (ref, economicsHash) => step(() => steps.rehearseLaunch(ref, economicsHash)),

    simulateHandoff: (ref, permit) =>
      step(async () => {
        const { launchId } = ref;
        if (launchId === null)
          throw ApplicationFailure.nonRetryable('simulateHandoff needs a reserved launch', 'LAUNCH_REQUIRED');
        return steps.simulateHandoff({ ...ref, launchId }, permit);
      }),
  };
}
