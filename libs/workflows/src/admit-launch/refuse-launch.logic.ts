import type { AnyFinding } from '@launch/contracts/errors';
import type {
  AdmissionActivities,
  CustodyActivities,
  GatewayActivities,
  LaunchRef,
  RefuseLaunchInput,
  RefuseLaunchResult,
} from '@launch/contracts/orchestration';
import { StepAbandoned } from '../steps/step-end.js';

/** Where a refusal is signed, and where it is decided. */
export interface RefusalSteps {
  readonly admission: Pick<AdmissionActivities, 'issueRefusal'>;
  readonly custody: Pick<CustodyActivities, 'refuseLaunch'>;
}

export interface RefuseSteps extends RefusalSteps {
  /** The same two with a day's time, for a launch that has ended and whose nonce is still held. */
  readonly late: RefusalSteps;
  readonly gateway: Pick<GatewayActivities, 'recordRefused'>;
  /** Called when a launch ended whose nonce is still held. */
  readonly onHeld: () => void;
}

export interface RefusedLaunch {
  readonly ref: LaunchRef & { readonly launchId: string };
  readonly findings: readonly AnyFinding[];
  /** Custody's own decision stands: it needs nobody's word. */
  readonly isDecided: boolean;
}

const MAX_CODES = 64;

/** `unanswered`: nobody could be asked in time, so that nothing is known of custody's decision. */
export type RefusalAnswer = RefuseLaunchResult['kind'] | 'unanswered';

/** Asks custody to refuse, signed; its time and its faults are bounded like any step's. */
export async function askToRefuse(
  steps: RefuseSteps,
  launch: RefusedLaunch,
  by: RefusalSteps = steps,
): Promise<RefusalAnswer> {
  try {
    const answer = await by.custody.refuseLaunch(await refusalOf(by.admission, launch));
    return answer.kind;
  } catch (error) {
    if (error instanceof StepAbandoned) return 'unanswered';
    throw error;
  }
}

/** Shows a launch as refused; the nonce is free again only when custody has refused it. */
export async function recordRefusal(
  { gateway }: RefuseSteps,
  { ref, findings }: RefusedLaunch,
  answer: RefusalAnswer,
): Promise<void> {
  await gateway.recordRefused({ launchId: ref.launchId, findings, nonceReleased: answer === 'refused' });
}

/**
 * Ends a launch that gets no permit. If nobody can be asked in time, the launch ends all the same, its nonce held. For
 * a day the workflow then tries to free that.
 * @returns what came of the nonce.
 */
export async function refuseLaunchLogic(steps: RefuseSteps, launch: RefusedLaunch): Promise<RefusalAnswer> {
  return concludeRefusal(steps, launch, await askToRefuse(steps, launch));
}

export async function concludeRefusal(
  steps: RefuseSteps,
  launch: RefusedLaunch,
  answer: RefusalAnswer,
): Promise<RefusalAnswer> {
  await recordRefusal(steps, launch, answer);
  if (answer !== 'unanswered') return answer;
  steps.onHeld();
  const later = await askToRefuse(steps, launch, steps.late);
  if (later === 'refused') await recordRefusal(steps, launch, later);
  return later;
}

async function refusalOf(
  admission: RefusalSteps['admission'],
  { ref, findings, isDecided }: RefusedLaunch,
): Promise<RefuseLaunchInput> {
  const { launchId, family, requestSha256, requestHash } = ref;
  const codes = [...new Set(findings.map(({ code }) => code))];
  if (isDecided) return { launchId, requestSha256, refusalSha256: null };
  const { refusalSha256 } = await admission.issueRefusal({
    launchId,
    ...(family === undefined ? {} : { family }),
    requestSha256,
    requestHash,
    codes: codes.slice(0, MAX_CODES),
  });
  return { launchId, requestSha256, refusalSha256 };
}
