import { finding } from '@launch/contracts/errors';
import {
  GATE_CLOSED,
  type AdmissionActivities,
  type GatewayActivities,
  type LaunchRef,
  type SignPermitInput,
  type SignPermitResult,
  type StatementSignature,
} from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { signatureOf } from './signature-of.js';
import { signUntilAnswered, type SignSteps } from './sign-permit.logic.js';

export interface AuthorizeSteps extends SignSteps {
  readonly admission: Pick<AdmissionActivities, 'readUsdReference'>;
  readonly gateway: Pick<GatewayActivities, 'authorizationGate' | 'recordAdmitting'>;
}

/** Custody's decision, and the price reading that it used. */
export interface Authorization {
  readonly answer: Exclude<SignPermitResult, { readonly kind: 'usd-reference-stale' }>;
  readonly usdReferenceSha256?: Sha256Digest;
  /** Admission's signature of the findings, if it refused the launch by its price reading. */
  readonly signed?: StatementSignature;
}

/** Milliseconds before the next check of the gate, the feeds or custody. */
const WAIT_MS = 10_000;

const READING_STALE = 'USD_REFERENCE_STALE';

/**
 * Requests the permit of a custom launch or a plan from custody, once the operator's gate is open and with a fresh
 * price reading. While the gate is closed or the feeds are unusable, the launch stays `admitting` and shows the reason
 * until its window ends. The workflow repeats a reading that is too old for custody.
 * @throws StepAbandoned like the steps.
 */
export async function authorizeCustomLaunch(
  steps: AuthorizeSteps,
  ref: LaunchRef & { readonly launchId: string },
  input: SignPermitInput,
): Promise<Authorization> {
  const { launchId } = ref;
  let shown: string | null = null;
  let attempts = 0;
  const wait = async (
    step: string,
    reason: string,
    { isShown, signed }: { readonly isShown: boolean; readonly signed?: StatementSignature | undefined },
  ): Promise<void> => {
    attempts += 1;
    if (isShown && shown !== reason)
      await steps.gateway.recordAdmitting({ launchId, reason, ...signatureOf({ signed }) });
    if (isShown) shown = reason;
    await steps.pause(WAIT_MS, { step, code: reason, attempts });
  };
  const refused = (findings: Extract<SignPermitResult, { kind: 'refused' }>['findings']): Authorization => ({
    answer: { kind: 'refused', findings },
  });

  for (let last = GATE_CLOSED; ;) {
    if (steps.isWindowOver())
      return refused([
        finding('PERMIT_EXPIRED', '/permitWindow/deadline', {
          actual: last,
          detail: 'The window passed before a permit could be signed; submit a deliberate new request.',
        }),
      ]);
    const { open } = await steps.gateway.authorizationGate({ launchId });
    if (!open) {
      last = GATE_CLOSED;
      await wait('authorizationGate', last, { isShown: true });
      continue;
    }
    const reading = await steps.admission.readUsdReference(ref);
    if (reading.kind === 'below') return { ...refused(reading.findings), ...signatureOf(reading) };
    if (reading.kind === 'unusable') {
      last = reading.reason;
      await wait('readUsdReference', last, { isShown: true, signed: reading.signed });
      continue;
    }
    const read = reading.kind === 'usable' ? { usdReferenceSha256: reading.usdReferenceSha256 } : {};
    const answer = await signUntilAnswered(steps, { ...input, ...read });
    if (answer.kind !== 'usd-reference-stale') return { answer, ...read };
    last = READING_STALE;
    await wait('signPermit', last, { isShown: false });
  }
}
