import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { CustomLaunchAssessment } from '../custom-launch/admission-documents.schema.js';
import type { SourceAssessment } from '../multi-role/resource.schema.js';
import type { Sha256Digest } from '../primitives/scalars.schema.js';
import type { SignedPoll } from './finality.types.js';
import type { RecoveryResolveActivities } from './recovery.types.js';
import type { StatementSignature } from './statement.types.js';

/** The reason of a launch that waits for the gateway's own gate `publicAuthorization`. */
export const GATE_CLOSED = 'AUTHORIZATION_CLOSED';

/** A launch and the signed poll that a write of its view is taken from. */
export interface ObservedLaunch {
  readonly launchId: string;
  readonly observed: SignedPoll;
}

/** The end of a launch before its hand-off. */
export interface AdmissionEnd {
  readonly launchId: string;
  readonly by: 'admission';
}

/** An operator's decision about custom launches and plans, from the gateway's rows. */
export interface LaunchGateActivities {
  /** Whether custody may sign permits for them now: the gate `publicAuthorization`. */
  authorizationGate(input: { readonly launchId: string }): Promise<{ readonly open: boolean }>;
}

/**
 * Activities of the gateway on `launch-gateway` that write the client's view. Each launch follows the rules of its
 * family. Every activity is idempotent: a repeated call changes nothing. `signed` is admission's or the finality
 * worker's signature of the stored values; without a valid one the gateway writes nothing (ADR 0128).
 */
export interface GatewayActivities extends RecoveryResolveActivities, LaunchGateActivities {
  /**
   * `reason` names the step that admission waits for; without it the stored reason stays. The reason that the gateway's
   * own gate is closed has no signature.
   */
  recordAdmitting(input: {
    readonly launchId: string;
    readonly reason?: string;
    readonly signed?: StatementSignature;
  }): Promise<void>;
  /** Writes the source decision once; it is never recomputed. */
  recordAssessment(input: {
    readonly launchId: string;
    readonly assessment: SourceAssessment | CustomLaunchAssessment;
    readonly findings: readonly AnyFinding[];
    readonly signed?: StatementSignature;
  }): Promise<void>;
  /**
   * Ends a launch that gets no permit: status `action_required`; the nonce is free again only when custody refused it.
   * Refusals of custody, passed windows and faults have no signature.
   */
  recordRefused(input: {
    readonly launchId: string;
    readonly findings: readonly AnyFinding[];
    readonly nonceReleased: boolean;
    readonly signed?: StatementSignature;
  }): Promise<void>;
  /** Publishes the wallet hand-off: status `authorized`. The gateway starts the observation after it. */
  recordHandoff(input: {
    readonly launchId: string;
    readonly handoffSha256: Sha256Digest;
    readonly signed?: StatementSignature;
  }): Promise<void>;
  recordAwaitingSignature(input: { readonly launchId: string }): Promise<void>;
  /** Writes the transaction of the poll. */
  recordSubmitted(input: ObservedLaunch): Promise<void>;
  /**
   * For custom launches whose hand-off waits: writes the reason that blocks the wallet, or null when nothing blocks it
   * any more.
   */
  recordWalletState(input: ObservedLaunch): Promise<void>;
  /** Writes the whole projection of the poll; stages may move back until `finalized`. */
  recordFinality(input: ObservedLaunch): Promise<void>;
  /** Publishes the record and finishes the launch; resource and wallet timestamps do not change. */
  recordFinalized(
    input: ObservedLaunch & { readonly recordSha256: Sha256Digest; readonly signed: StatementSignature },
  ): Promise<void>;
  /**
   * Ends a launch. `by: 'admission'` does not end a launch that is handed off, because only its observation knows the
   * outcome; without a signature it reports a fault of the service.
   */
  recordFailed(
    input:
      | ObservedLaunch
      | (AdmissionEnd & { readonly findings: readonly AnyFinding[]; readonly signed?: StatementSignature }),
  ): Promise<void>;
  /** Ends a launch whose window passed, by its observation or by the gateway's clock. */
  recordExpired(input: ObservedLaunch | AdmissionEnd): Promise<void>;
}
