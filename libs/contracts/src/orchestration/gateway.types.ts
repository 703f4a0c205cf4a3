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

/** How a launch came to its end. */
export interface LaunchEnd extends ObservedInOrder {
  readonly by?: 'admission';
  /** Blob of the evidence, where it was judged on chain. */
  readonly evidenceSha256?: Sha256Digest;
}

/**
 * Place of a look among those at its launch. A write of an older look than one that was written changes nothing. Absent
 * for families whose view moves forward only.
 */
export interface ObservedInOrder {
  readonly sequence?: number;
}

/** What an operator decides of custom launches and plans; read from the gateway's rows. */
export interface LaunchGateActivities {
  /** Whether permits may be signed for them now: the gate `publicAuthorization`. */
  authorizationGate(input: { readonly launchId: string }): Promise<{ readonly open: boolean }>;
}

/**
 * The client's view, written by the gateway's own activities on `launch-gateway`; each launch moves by the rules of its
 * family. Each is idempotent: a repeated or late call changes nothing.
 */
export interface GatewayActivities extends RecoveryResolveActivities, LaunchGateActivities {
  /** `reason` says what admission waits for; without one nothing is said anew. */
  recordAdmitting(input: { readonly launchId: string; readonly reason?: string }): Promise<void>;
  /** The source decision, once; never recomputed. */
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
  /** Publishes the wallet hand-off: status `authorized`; the observation is started from here. */
  recordHandoff(input: { readonly launchId: string; readonly handoffSha256: Sha256Digest }): Promise<void>;
  recordAwaitingSignature(input: { readonly launchId: string }): Promise<void>;
  recordSubmitted(input: { readonly launchId: string; readonly transactionHash: Hex } & ObservedInOrder): Promise<void>;
  /** Of custom launches whose hand-off waits: what stands in the wallet's way, null when nothing does any more. */
  recordWalletState(input: {
    readonly launchId: string;
    readonly reason: WalletReason | null;
    readonly sequence: number;
  }): Promise<void>;
  /** The whole projection as last observed; stages may go back down until `finalized`. */
  recordFinality(
    input: { readonly launchId: string; readonly finality: ObservedFinality } & ObservedInOrder,
  ): Promise<void>;
  /** Publishes the record and finishes the launch; resource and wallet timestamps stay. */
  recordFinalized(
    input: {
      readonly launchId: string;
      readonly recordSha256: Sha256Digest;
      /** Blob of the owner's evidence; absent from workflows that began before there was a route for it. */
      readonly evidenceSha256?: Sha256Digest;
      readonly finality: ObservedFinality;
    } & ObservedInOrder,
  ): Promise<void>;
  /** Ends a launch; `by: 'admission'` ends none that is handed off, since only its observation knows what became of it. */
  recordFailed(
    input: { readonly launchId: string; readonly findings: readonly AnyFinding[] } & LaunchEnd,
  ): Promise<void>;
  /** As `recordFailed`. */
  recordExpired(input: { readonly launchId: string } & LaunchEnd): Promise<void>;
}
