import type { AdmissionActivities, CustodyActivities, Finding, GatewayActivities, LaunchRef, RefuseLaunchInput } from '@launch/contracts/orchestration';

export interface RefuseSteps {
  readonly admission: Pick<AdmissionActivities, 'issueRefusal'>;
  readonly custody: Pick<CustodyActivities, 'refuseLaunch'>;
  readonly gateway: Pick<GatewayActivities, 'recordRefused'>;
  /** False in runs that began before refusals were signed: they send what they were recorded with. */
  readonly areRefusalsSigned: () => boolean;
}

export interface RefusedLaunch {
  readonly ref: LaunchRef & { readonly launchId: string };
  readonly nonce: string;
  readonly router: string;
  readonly findings: readonly Finding[];
  /** Custody's own decision stands: it needs nobody's word. */
  readonly isDecided: boolean;
}

const MAX_CODES = 64;

/** Ends a launch that gets no permit; its nonce is free again once custody has refused it. */
export async function refuseLaunchLogic(steps: RefuseSteps, launch: RefusedLaunch): Promise<void> {
  const { launchId } = launch.ref;
  const answer = await steps.custody.refuseLaunch(await refusalOf(steps, launch));
  await steps.gateway.recordRefused({ launchId, findings: launch.findings, nonceReleased: answer.kind === 'refused' });
}

async function refusalOf(steps: RefuseSteps, { ref, nonce, router, findings, isDecided }: RefusedLaunch): Promise<RefuseLaunchInput> {
  const { launchId, requestSha256, requestHash, controller } = ref;
  const codes = [...new Set(findings.map(({ code }) => code))];
  if (!steps.areRefusalsSigned()) return { launchId, requestSha256, requestHash, controller, nonce, router, reasonCodes: codes };
  if (isDecided) return { launchId, requestSha256, refusalSha256: null };
  const { refusalSha256 } = await steps.admission.issueRefusal({ launchId, requestSha256, requestHash, codes: codes.slice(0, MAX_CODES) });
  return { launchId, requestSha256, refusalSha256 };
}
