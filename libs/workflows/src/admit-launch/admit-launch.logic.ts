import { finding, type AnyFinding } from '@launch/contracts/errors';
import type {
  AdmissionActivities,
  CustodyOperations,
  EvaluateSourceResult,
  GatewayActivities,
  LaunchRef,
  SignPermitInput,
  SignedPermit,
  SimulationVerdict,
} from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { isCustomLaunchFamily } from '@launch/contracts/states';
import { authorizeCustomLaunch, type Authorization } from './authorize-custom-launch.logic.js';
import { judgeSource, type Compilations } from '../evaluate-source/judge-request.js';
import { StepAbandoned } from '../steps/step-end.js';
import {
  askToRefuse,
  concludeRefusal,
  refuseLaunchLogic,
  type RefusalAnswer,
  type RefusedLaunch,
  type RefuseSteps,
} from './refuse-launch.logic.js';
import { rehearsalRefusal, type Denial } from './rehearse.js';
import { signatureOf } from './signature-of.js';
import { signUntilAnswered, type SignSteps } from './sign-permit.logic.js';

/** The steps of an admission. The caller bounds each step: it returns, or it throws StepAbandoned. */
export interface AdmitSteps
  extends Pick<RefuseSteps, 'late'>, Pick<SignSteps, 'pause' | 'watch' | 'beforeCustody' | 'isWindowOver'> {
  readonly admission: AdmissionActivities;
  readonly compilations: Compilations;
  readonly custody: CustodyOperations;
  readonly gateway: Pick<
    GatewayActivities,
    | 'authorizationGate'
    | 'recordAdmitting'
    | 'recordAssessment'
    | 'recordRefused'
    | 'recordHandoff'
    | 'recordFailed'
    | 'recordExpired'
  >;
}

/** A reserved launch. */
type ReservedRef = LaunchRef & { readonly launchId: string };

export type AdmitOutcome = 'authorized' | 'refused' | 'failed' | 'expired';

interface Judged {
  readonly evaluation: EvaluateSourceResult;
  /** The reason why the launch gets no permit. */
  readonly against: Denial;
}

/** Milliseconds before the next simulation for a wallet without funds. */
const FUNDS_PAUSE_MS = 10_000;

/**
 * Repeats the simulation until the wallet can pay, and returns the verdict. The launch shows the reason of the wait.
 * The step judges the permit's window, whose end ends the wait.
 */
async function simulateUntilDecided(
  steps: AdmitSteps,
  ref: ReservedRef,
  permit: SignedPermit,
  usdReferenceSha256: Sha256Digest | undefined,
): Promise<Exclude<SimulationVerdict, { readonly kind: 'waiting' }>> {
  for (let attempts = 1; ; attempts += 1) {
    const verdict = await (usdReferenceSha256 === undefined
      ? steps.admission.simulateHandoff(ref, permit)
      : steps.admission.simulateHandoff(ref, permit, usdReferenceSha256));
    if (verdict.kind !== 'waiting') return verdict;
    if (attempts === 1)
      await steps.gateway.recordAdmitting({
        launchId: ref.launchId,
        reason: verdict.reason,
        ...signatureOf(verdict),
      });
    await steps.pause(FUNDS_PAUSE_MS, { step: 'simulateHandoff', code: verdict.reason, attempts });
  }
}

/**
 * Runs a step and a record of the client's view in parallel, because a record that only moves forward does not have to
 * wait. Both end before the next step begins, even if one fails, so that no record follows the end of the launch.
 */
async function besides<T>(step: Promise<T>, record: Promise<void>): Promise<T> {
  const [answer, recorded] = await Promise.allSettled([step, record]);
  if (answer.status === 'rejected') throw answer.reason;
  if (recorded.status === 'rejected') throw recorded.reason;
  return answer.value;
}

/** Returns custody's decision, requested as the launch's family requires. */
async function authorized(steps: AdmitSteps, ref: ReservedRef, input: SignPermitInput): Promise<Authorization> {
  const { family } = ref;
  if (isCustomLaunchFamily(family)) return authorizeCustomLaunch(steps, ref, { ...input, family });
  const answer = await signUntilAnswered(steps, input);
  if (answer.kind === 'usd-reference-stale') throw new TypeError('custody needs no price for a multi-role launch');
  return { answer };
}

/**
 * Returns the finding of a launch whose step was given up: an expired window with its cause, or a fault of the service.
 */
export function abandonedFinding({ step, reason, code }: StepAbandoned): AnyFinding {
  if (reason === 'hold')
    return finding('PERMIT_EXPIRED', '/permitWindow/deadline', {
      actual: code,
      detail: 'The window passed while an operator held the launch; submit a deliberate new request.',
    });
  if (reason === 'outage')
    return finding('PERMIT_EXPIRED', '/permitWindow/deadline', {
      actual: `${step}: ${code}`,
      detail: 'The window passed while a part of the service did not answer; submit a deliberate new request.',
    });
  return finding('INTERNAL', '', {
    actual: `${step}: ${code}`,
    detail:
      'A step of the admission could not be done, however often it was tried, which says nothing of the request. Ask the operator, naming the launch.',
  });
}

/** Takes a reserved request to a published wallet hand-off, or to a refusal that frees the nonce. */
export async function admitLaunchLogic(
  steps: AdmitSteps,
  ref: ReservedRef,
  onStage: (stage: string) => void,
): Promise<AdmitOutcome> {
  const { launchId } = ref;
  const refusal = ({ findings, signed }: Denial, isDecided = false): RefusedLaunch => ({
    ref,
    findings,
    isDecided,
    ...signatureOf({ signed }),
  });

  const refusing: RefuseSteps = { ...steps, onHeld: () => onStage('nonce-held') };
  const refused = (answer: RefusalAnswer, stage: string): AdmitOutcome => {
    if (answer !== 'unanswered') onStage(stage);
    return 'refused';
  };
  const refuse = async (against: Denial, isDecided?: boolean): Promise<AdmitOutcome> =>
    refused(await refuseLaunchLogic(refusing, refusal(against, isDecided)), 'refused');

  /** No client saw a permit, so none can be used, whether or not custody committed to one. */
  const end = async (findings: readonly AnyFinding[], isFault: boolean): Promise<AdmitOutcome> => {
    if (isFault) await steps.gateway.recordFailed({ launchId, findings, by: 'admission' });
    else await steps.gateway.recordExpired({ launchId, by: 'admission' });
    onStage(isFault ? 'faulted' : 'expired');
    return isFault ? 'failed' : 'expired';
  };

  const recordAssessment = ({ receipt, findings, signed }: EvaluateSourceResult): Promise<void> =>
    steps.gateway.recordAssessment({
      launchId,
      assessment: receipt.assessment,
      findings,
      ...signatureOf({ signed: signed?.assessed }),
    });

  /** Findings are recorded while the next step runs, and before the call to custody. */
  const judged = async (): Promise<Judged> => {
    const evaluation = await besides(
      judgeSource(steps.admission, steps.compilations, ref, onStage),
      steps.gateway.recordAdmitting({ launchId }),
    );
    const recorded = recordAssessment(evaluation);
    if (evaluation.receipt.disposition !== 'source_supported') {
      await recorded;
      const { findings, signed } = evaluation;
      return { evaluation, against: { findings, ...signatureOf({ signed: signed?.refused }) } };
    }
    onStage('rehearse');
    return {
      evaluation,
      against: await besides(rehearsalRefusal(steps.admission, ref, evaluation), recorded),
    };
  };

  let isSigned = false;
  const decide = async (): Promise<AdmitOutcome> => {
    const { evaluation, against } = await judged();
    if (evaluation.receipt.disposition !== 'source_supported' || against.findings.length > 0) return refuse(against);

    onStage('custody');
    const authorization = await authorized(steps, ref, {
      launchId,
      requestSha256: ref.requestSha256,
      receiptSha256: evaluation.receipt.receiptSha256,
    });
    const { answer: signed, usdReferenceSha256 } = authorization;
    if (signed.kind === 'refused')
      return refuse({ findings: signed.findings, ...signatureOf(authorization) }, signed.decided);
    isSigned = true;

    onStage('simulate');
    const { permitDigest, permit, signature } = signed;
    const permitted = { permitDigest, permit, signature };
    const simulation = await simulateUntilDecided(steps, ref, permitted, usdReferenceSha256);
    switch (simulation.kind) {
      case 'simulated':
        await steps.gateway.recordHandoff({
          launchId,
          handoffSha256: simulation.handoffSha256,
          ...signatureOf(simulation),
        });
        onStage('authorized');
        return 'authorized';
      case 'reverted':
        await steps.gateway.recordFailed({
          launchId,
          findings: simulation.findings,
          by: 'admission',
          ...signatureOf(simulation),
        });
        onStage('failed');
        return 'failed';
      case 'over-budget':
        // The committed digest keeps the nonce reserved; no client ever sees its permit.
        await steps.gateway.recordRefused({
          launchId,
          findings: simulation.findings,
          nonceReleased: false,
          ...signatureOf(simulation),
        });
        onStage('refused');
        return 'refused';
      case 'window-passed':
        return end([], false);
    }
  };

  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof StepAbandoned)) throw error;
    const isFault = error.reason === 'fault';
    const findings = [abandonedFinding(error)];
    if (isSigned) return end(findings, isFault);
    // Only custody knows whether it committed to a digest without a reply; then the nonce stays reserved.
    const launch = refusal({ findings });
    const answer = await askToRefuse(refusing, launch);
    if (answer === 'digest-exists') return end(findings, isFault);
    return refused(await concludeRefusal(refusing, launch, answer), isFault ? 'faulted' : 'refused');
  }
}
