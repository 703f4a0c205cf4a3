import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { CustomLaunchAssessment } from '../custom-launch/admission-documents.schema.js';
import type { CustomLaunchFinality } from '../custom-launch/finality.schema.js';
import type { WalletReason } from '../states/custom-launch-states.js';
import type { SourceAssessment } from '../multi-role/resource.schema.js';
import type { AnyFinalityStatus } from '../multi-role/finality-v3.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { RecoveryResolveActivities } from './recovery.types.js';

/** The finality projection of either kind of launch. */
export type ObservedFinality = AnyFinalityStatus | CustomLaunchFinality;

/** The end of a launch. */
export interface LaunchEnd extends ObservedInOrder {
  readonly by?: 'admission';
  /** Blob of the evidence, if the launch was judged on chain. */
  readonly evidenceSha256?: Sha256Digest;
}

/**
 * Number of the observation of its launch. A write of an older observation changes nothing. Absent for families whose
 * view only moves forward.
 */
export interface ObservedInOrder {
  readonly sequence?: number;
}

/** An operator's decision about custom launches and plans, from the gateway's rows. */
export interface LaunchGateActivities {
  /** Whether custody may sign permits for them now: the gate `publicAuthorization`. */
  authorizationGate(input: { readonly launchId: string }): Promise<{ readonly open: boolean }>;
}

/**
 * Activities of the gateway on `launch-gateway` that write the client's view. Each launch follows the rules of its
 * family. Every activity is idempotent: a repeated or late call changes nothing.
 */
export interface GatewayActivities extends RecoveryResolveActivities, LaunchGateActivities {
  /** `reason` names the step that admission waits for; without it the stored reason stays. */
  recordAdmitting(input: { readonly launchId: string; readonly reason?: string }): Promise<void>;
  /** Writes the source decision once; it is never recomputed. */
  recordAssessment(input: {
    readonly launchId: string;
    readonly assessment: SourceAssessment | CustomLaunchAssessment;
    readonly findings: readonly AnyFinding[];
  }): Promise<void>;
  /** Ends a launch that gets no permit: status `action_required`; the nonce is free again only when custody refused it. */
  recordRefused(input: {
    readonly launchId: string;
    readonly findings: readonly AnyFinding[];
    readonly nonceReleased: boolean;
  }): Promise<void>;
  /** Publishes the wallet hand-off: status `authorized`. The gateway starts the observation after it. */
  recordHandoff(input: { readonly launchId: string; readonly handoffSha256: Sha256Digest }): Promise<void>;
  recordAwaitingSignature(input: { readonly launchId: string }): Promise<void>;
  recordSubmitted(input: { readonly launchId: string; readonly transactionHash: Hex } & ObservedInOrder): Promise<void>;
  /**
   * For custom launches whose hand-off waits: writes the reason that blocks the wallet, or null when nothing blocks it
   * any more.
   */
  recordWalletState(input: {
    readonly launchId: string;
    readonly reason: WalletReason | null;
    readonly sequence: number;
  }): Promise<void>;
  /** Writes the whole projection of the last observation; stages may move back until `finalized`. */
  recordFinality(
    input: { readonly launchId: string; readonly finality: ObservedFinality } & ObservedInOrder,
  ): Promise<void>;
  /** Publishes the record and finishes the launch; resource and wallet timestamps do not change. */
  recordFinalized(
    input: {
      readonly launchId: string;
      readonly recordSha256: Sha256Digest;
      /** Blob of the owner's evidence. */
      readonly evidenceSha256?: Sha256Digest;
      readonly finality: ObservedFinality;
    } & ObservedInOrder,
  ): Promise<void>;
  /**
   * Ends a launch. `by: 'admission'` does not end a launch that is handed off, because only its observation knows the
   * outcome.
   */
  recordFailed(
    input: { readonly launchId: string; readonly findings: readonly AnyFinding[] } & LaunchEnd,
  ): Promise<void>;
  /** Ends a launch whose window passed, with the same rule as `recordFailed`. */
  recordExpired(input: { readonly launchId: string } & LaunchEnd): Promise<void>;
}
