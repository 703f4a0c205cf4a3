import type { CustomLaunchAssessment } from '@launch/contracts/custom-launch';
import type { AnyFinding } from '@launch/contracts/errors';
import type { SourceAssessment } from '@launch/contracts/multi-role';
import type {
  GatewayActivities,
  LaunchGateActivities,
  ObservedFinality,
  RecoveryResolveActivities,
} from '@launch/contracts/orchestration';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { WalletReason } from '@launch/contracts/states';

/** The activities that write the client's view of one launch, as workflows call them. */
export type SignedProjectionActivities = Omit<
  GatewayActivities,
  keyof (RecoveryResolveActivities & LaunchGateActivities)
>;

/** Number of the observation of its launch. A write of an older observation changes nothing. */
interface ObservedInOrder {
  readonly sequence?: number;
}

/** The end of a launch. */
export interface LaunchEnd extends ObservedInOrder {
  readonly by?: 'admission';
  /** Blob of the evidence, if the launch was judged on chain. */
  readonly evidenceSha256?: Sha256Digest;
}

interface Named {
  readonly launchId: string;
}

/** Writes of verified values into the client's view of one launch. */
export interface ProjectionActivities {
  recordAdmitting(input: Named & { readonly reason?: string }): Promise<void>;
  recordAssessment(
    input: Named & {
      readonly assessment: SourceAssessment | CustomLaunchAssessment;
      readonly findings: readonly AnyFinding[];
    },
  ): Promise<void>;
  recordRefused(
    input: Named & { readonly findings: readonly AnyFinding[]; readonly nonceReleased: boolean },
  ): Promise<void>;
  recordHandoff(input: Named & { readonly handoffSha256: Sha256Digest }): Promise<void>;
  recordAwaitingSignature(input: Named): Promise<void>;
  recordSubmitted(input: Named & { readonly transactionHash: Hex } & ObservedInOrder): Promise<void>;
  recordWalletState(input: Named & { readonly reason: WalletReason | null; readonly sequence: number }): Promise<void>;
  recordFinality(input: Named & { readonly finality: ObservedFinality } & ObservedInOrder): Promise<void>;
  recordFinalized(
    input: Named & {
      readonly recordSha256: Sha256Digest;
      readonly evidenceSha256?: Sha256Digest;
      readonly finality: ObservedFinality;
    } & ObservedInOrder,
  ): Promise<void>;
  recordFailed(input: Named & { readonly findings: readonly AnyFinding[] } & LaunchEnd): Promise<void>;
  recordExpired(input: Named & LaunchEnd): Promise<void>;
}

/** Adapts the service to Temporal's activities. */
export const projectionWork = (service: SignedProjectionActivities): SignedProjectionActivities => ({
  recordAdmitting: (input) => service.recordAdmitting(input),
  recordAssessment: (input) => service.recordAssessment(input),
  recordRefused: (input) => service.recordRefused(input),
  recordHandoff: (input) => service.recordHandoff(input),
  recordAwaitingSignature: (input) => service.recordAwaitingSignature(input),
  recordSubmitted: (input) => service.recordSubmitted(input),
  recordWalletState: (input) => service.recordWalletState(input),
  recordFinality: (input) => service.recordFinality(input),
  recordFinalized: (input) => service.recordFinalized(input),
  recordFailed: (input) => service.recordFailed(input),
  recordExpired: (input) => service.recordExpired(input),
});
