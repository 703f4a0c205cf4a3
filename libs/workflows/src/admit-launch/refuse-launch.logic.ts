import type { AnyFinding } from '@launch/contracts/errors';
import type {
  AdmissionActivities,
  CustodyOperations,
  GatewayActivities,
  LaunchRef,
  RefuseLaunchInput,
  RefuseLaunchResult,
  StatementSignature,
} from '@launch/contracts/orchestration';
import { signatureOf } from './signature-of.js';
import { StepAbandoned } from '../steps/step-end.js';

/** The steps that sign and decide a refusal. */
export interface RefusalSteps {
  readonly admission: Pick<AdmissionActivities, 'issueRefusal'>;
  readonly custody: Pick<CustodyOperations, 'refuseLaunch'>;
}

export interface RefuseSteps extends RefusalSteps {
  /** The same steps with a day's time, for a launch that has ended and whose nonce is still held. */
  readonly late: RefusalSteps;
  readonly gateway: Pick<GatewayActivities, 'recordRefused'>;
  /** Called when a launch ended and its nonce is still held. */
  readonly onHeld: () => void;
}

export interface RefusedLaunch {
  readonly ref: LaunchRef & { readonly launchId: string };
  readonly findings: readonly AnyFinding[];
  /** Custody has its own stored decision and needs no document. */
  readonly isDecided: boolean;
  /** Admission's signature of the findings; absent for a refusal of custody, a passed window and a fault. */
  readonly signed?: StatementSignature | undefined;
}

const MAX_CODES = 64;

/** `unanswered`: no service answered in time, so custody's decision is unknown. */
export type RefusalAnswer = RefuseLaunchResult['kind'] | 'unanswered';

/** Signs a refusal and asks custody to apply it, within the bounds of any step. */
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

/** Shows a launch as refused. The nonce is free again only if custody refused it. */
export async function recordRefusal(
  { gateway }: RefuseSteps,
  { ref, findings, signed }: RefusedLaunch,
  answer: RefusalAnswer,
): Promise<void> {
  await gateway.recordRefused({
    launchId: ref.launchId,
    findings,
    nonceReleased: answer === 'refused',
    ...signatureOf({ signed }),
  });
}

/**
 * Ends a launch that gets no permit. If no service answers in time, the launch ends with its nonce held, and the
 * workflow tries to free the nonce for a day.
 * @returns the state of the nonce.
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
