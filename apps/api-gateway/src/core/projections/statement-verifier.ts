import {
  admissionStatement,
  observationStatement,
  recordStatement,
  stepObservationStatement,
  stepSimulationStatement,
} from '@launch/contracts/activities';
import type {
  AdmissionOutcome,
  SignedPoll,
  SignedStepPoll,
  SignedStepSimulation,
  StatedHandoff,
  StatementSignature,
} from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { Counter, type Ed25519Verifier, type Registry } from '@launch/platform';
import { ProjectionError, type ProjectionErrorCode } from './projection.error.js';
import type { StatedRow } from './stated-launch.repository.js';

/** The public keys of the services whose results the gateway stores. */
export interface StatementKeys {
  readonly admission: Ed25519Verifier;
  readonly finality: Ed25519Verifier;
}

const CODES = {
  unsigned: 'STATEMENT_UNVERIFIED',
  'unknown-key': 'STATEMENT_UNVERIFIED',
  altered: 'STATEMENT_UNVERIFIED',
  outdated: 'STATEMENT_OUTDATED',
  'window-open': 'WINDOW_OPEN',
} as const satisfies Readonly<Record<string, ProjectionErrorCode>>;

/** The reason for which a result of another service is not stored. */
export type Refusal = keyof typeof CODES;

/** The activities whose inputs are verified. */
const VERIFIED = [
  'recordAdmitting',
  'recordAssessment',
  'recordRefused',
  'recordHandoff',
  'recordSubmitted',
  'recordWalletState',
  'recordFinality',
  'recordFinalized',
  'recordFailed',
  'recordExpired',
  'recordPlanSteps',
  'recordPlanEnded',
] as const;
export type VerifiedActivity = (typeof VERIFIED)[number];

/**
 * Verifies results of other services. The signed bytes are built from the values that would be written and from the
 * launch's own row, so a signature for another launch, hand-off or kind of statement is that of altered bytes.
 */
export class StatementVerifier {
  private readonly refusals: Counter<'activity' | 'reason'>;

  constructor(
    private readonly keys: StatementKeys,
    metrics: Registry,
  ) {
    this.refusals = new Counter({
      name: 'launch_statements_refused_total',
      help: 'Results of other services that the gateway did not store.',
      labelNames: ['activity', 'reason'],
      registers: [metrics],
    });
    // A rate needs the zero before the first refusal.
    for (const activity of VERIFIED)
      for (const reason of Object.keys(CODES)) this.refusals.inc({ activity, reason }, 0);
  }

  /** @throws ProjectionError `STATEMENT_UNVERIFIED`. */
  admission(
    activity: VerifiedActivity,
    row: StatedRow,
    outcome: AdmissionOutcome,
    signed: StatementSignature | undefined,
  ): void {
    this.verify(activity, this.keys.admission, admissionStatement(row, outcome), signed);
  }

  /** @throws ProjectionError `STATEMENT_UNVERIFIED`, or `PROJECTION_MISMATCH` before the hand-off. */
  poll(activity: VerifiedActivity, row: StatedRow, { signed, ...poll }: SignedPoll): void {
    this.verify(activity, this.keys.finality, observationStatement(handedOff(row), poll), signed);
  }

  /** @throws ProjectionError `STATEMENT_UNVERIFIED`, or `PROJECTION_MISMATCH` before the hand-off. */
  record(
    activity: VerifiedActivity,
    row: StatedRow,
    record: { readonly recordSha256: Sha256Digest; readonly evidenceSha256: Sha256Digest },
    signed: StatementSignature,
  ): void {
    this.verify(activity, this.keys.finality, recordStatement(handedOff(row), record), signed);
  }

  /** @throws ProjectionError `STATEMENT_UNVERIFIED`, or `PROJECTION_MISMATCH` before the hand-off. */
  stepPoll(activity: VerifiedActivity, row: StatedRow, stepId: string, { signed, ...poll }: SignedStepPoll): void {
    this.verify(activity, this.keys.finality, stepObservationStatement(handedOff(row), stepId, poll), signed);
  }

  /** @throws ProjectionError `STATEMENT_UNVERIFIED`, or `PROJECTION_MISMATCH` before the hand-off. */
  stepSimulation(
    activity: VerifiedActivity,
    row: StatedRow,
    stepId: string,
    { signed, ...simulation }: SignedStepSimulation,
  ): void {
    this.verify(activity, this.keys.admission, stepSimulationStatement(handedOff(row), stepId, simulation), signed);
  }

  /** Counts a refusal and throws it. */
  refuse(activity: VerifiedActivity, reason: Refusal): never {
    this.refusals.inc({ activity, reason });
    throw new ProjectionError(CODES[reason], reason);
  }

  private verify(
    activity: VerifiedActivity,
    key: Ed25519Verifier,
    bytes: Uint8Array,
    signed: StatementSignature | undefined,
  ): void {
    if (signed === undefined) this.refuse(activity, 'unsigned');
    const outcome = key.verify(bytes, signed);
    if (outcome !== 'valid') this.refuse(activity, outcome);
  }
}

function handedOff({ handoffSha256, ...row }: StatedRow): StatedHandoff {
  if (handoffSha256 === null) throw new ProjectionError('PROJECTION_MISMATCH', 'handoffSha256');
  return { ...row, handoffSha256 };
}
