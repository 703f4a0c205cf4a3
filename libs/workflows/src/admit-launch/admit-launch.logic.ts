import type {
  AdmissionActivities,
  CustodyActivities,
  Finding,
  GatewayActivities,
  LaunchRef,
  SignedPermit,
  SignPermitResult,
  SimulationVerdict,
} from '@launch/contracts/orchestration';
import { evaluateSourceLogic } from '../evaluate-source/evaluate-source.logic.js';
import { refuseLaunchLogic, type RefuseSteps } from './refuse-launch.logic.js';
import { rehearsalRefusal } from './rehearse.js';

export interface AdmitSteps extends Pick<RefuseSteps, 'areRefusalsSigned'> {
  readonly admission: AdmissionActivities;
  readonly custody: CustodyActivities;
  readonly gateway: Pick<
    GatewayActivities,
    'recordAdmitting' | 'recordAssessment' | 'recordRefused' | 'recordHandoff' | 'recordFailed' | 'recordExpired'
  >;
  /** False in runs that began before launches were rehearsed. */
  readonly isRehearsed: () => boolean;
  /** Waits before the next attempt at an irreversible step; virtual time in tests. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface AdmitIdentity {
  readonly ref: LaunchRef & { readonly launchId: string };
  readonly nonce: string;
  readonly router: string;
}

export type AdmitOutcome = 'authorized' | 'refused' | 'failed' | 'expired';

/** How long a wallet without funds is given before the next look. */
const FUNDS_PAUSE_MS = 10_000;

const SIGN_PAUSE_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 15_000] as const;

/**
 * Signing is one attempt of the activity at a time; custody is idempotent by digest,
 * so asking again after a crash yields the same permit or the refusal. Only the
 * permit window, which custody judges itself, ends the asking.
 */
async function signUntilAnswered(steps: AdmitSteps, launchId: string, requestSha256: string, receiptSha256: string): Promise<SignPermitResult> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await steps.custody.signPermit({ launchId, requestSha256, receiptSha256 });
    } catch (error) {
      if (isCancellation(error) || isFinal(error)) throw error;
      await steps.pause(SIGN_PAUSE_MS[Math.min(attempt, SIGN_PAUSE_MS.length - 1)] ?? 15_000);
    }
  }
}

/** The verdict once nothing has to be waited for; the launch says meanwhile what it is. The permit's window, which the step judges, ends the waiting. */
async function simulateUntilDecided(steps: AdmitSteps, ref: AdmitIdentity['ref'], permit: SignedPermit): Promise<Exclude<SimulationVerdict, { readonly kind: 'waiting' }>> {
  for (let told = false; ; told = true) {
    const verdict = await steps.admission.simulateHandoff(ref, permit);
    if (verdict.kind !== 'waiting') return verdict;
    if (!told) await steps.gateway.recordAdmitting({ launchId: ref.launchId, reason: verdict.reason });
    await steps.pause(FUNDS_PAUSE_MS);
  }
}

const named = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);
const isCancellation = (error: unknown): boolean => named(error, 'CancelledFailure') || named(causeOf(error), 'CancelledFailure');
const isFinal = (error: unknown): boolean => {
  const cause = causeOf(error) as { nonRetryable?: boolean } | undefined;
  return cause?.nonRetryable === true;
};

/** From a reserved request to a published wallet hand-off, or to a refusal that frees the nonce. */
export async function admitLaunchLogic(
  steps: AdmitSteps,
  identity: AdmitIdentity,
  onStage: (stage: string) => void,
): Promise<AdmitOutcome> {
  const { ref, nonce, router } = identity;
  const { launchId } = ref;

  const refuse = async (findings: readonly Finding[], isDecided = false): Promise<AdmitOutcome> => {
    await refuseLaunchLogic(steps, { ref, nonce, router, findings, isDecided });
    onStage('refused');
    return 'refused';
  };

  onStage('admitting');
  await steps.gateway.recordAdmitting({ launchId });
  const evaluation = await evaluateSourceLogic(steps.admission, ref, onStage);
  await steps.gateway.recordAssessment({
    launchId,
    assessment: evaluation.receipt.assessment,
    findings: evaluation.findings,
  });
  if (evaluation.receipt.disposition !== 'source_supported') return refuse(evaluation.findings);

  if (steps.isRehearsed()) {
    onStage('rehearse');
    const refusal = await rehearsalRefusal(steps.admission, ref, evaluation);
    if (refusal.length > 0) return refuse(refusal);
  }

  onStage('custody');
  const signed = await signUntilAnswered(steps, launchId, ref.requestSha256, evaluation.receipt.receiptSha256);
  if (signed.kind === 'refused') return refuse(signed.findings, signed.decided);

  onStage('simulate');
  const simulation = await simulateUntilDecided(steps, ref, {
    permitDigest: signed.permitDigest,
    permit: signed.permit,
    signature: signed.signature,
  });
  switch (simulation.kind) {
    case 'simulated':
      await steps.gateway.recordHandoff({ launchId, handoffSha256: simulation.handoffSha256 });
      onStage('authorized');
      return 'authorized';
    case 'reverted':
      await steps.gateway.recordFailed({ launchId, findings: simulation.findings });
      onStage('failed');
      return 'failed';
    case 'window-passed':
      // The permit was never shown to anybody, so nobody can have used it.
      await steps.gateway.recordExpired({ launchId });
      onStage('expired');
      return 'expired';
  }
}
