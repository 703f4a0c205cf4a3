/**
 * A custom launch or a plan as its program sent or saved it: the values that responses repeat. A saved request alone does not
 * determine the optional ones; the packer computes them.
 */
export interface SentLaunch {
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly contextHash: string;
  readonly profile: string;
  readonly launchWallet: string;
  readonly permitWindow: { readonly validAfter: string; readonly deadline: string };
  readonly checkpoint: { readonly blockNumber: string; readonly blockHash: string };
  readonly budgets: { readonly maxLaunchValueWei: string; readonly maxGasCostWei: string };
  readonly totalValueWei: string;
  readonly metadata: { readonly name: string; readonly symbol: string; readonly imageSha256: string };
  readonly components: readonly {
    readonly componentId: string;
    readonly account: string;
    readonly runtimeCodeHash: string;
  }[];
  /** The router of the context that the request names. */
  readonly router?: string | undefined;
  readonly artifactHash?: string | undefined;
  readonly onchainLaunchId?: string | undefined;
  /** SHA-256 of a plan's canonical JSON. */
  readonly planDigest?: string | undefined;
  /** The ids of a plan's steps, in order. */
  readonly stepIds?: readonly string[] | undefined;
}

/** The launch or plan that a read asks for. */
export interface LaunchSubject {
  /** The id in the path of the request; absent for a create. */
  readonly id?: string | undefined;
  /** The request, if the program has it. */
  readonly request?: SentLaunch | undefined;
}

/** The members of a request that `sentLaunch` reads. */
interface LaunchRequest {
  readonly profile: string;
  readonly contextHash: string;
  readonly launchWallet: string;
  readonly permitWindow: SentLaunch['permitWindow'];
  readonly checkpoint: SentLaunch['checkpoint'];
  readonly budgets: SentLaunch['budgets'];
  readonly funding: { readonly totalValueWei: string };
  readonly projectMetadata: {
    readonly name: string;
    readonly symbol: string;
    readonly image: { readonly sha256: string };
  };
  readonly graphBundle: {
    readonly components: readonly {
      readonly componentId: string;
      readonly predictedAddress: string;
      readonly expectedRuntimeCodeHash: string;
    }[];
  };
}

/** Returns the values of a request that responses repeat. @param known digests of its bytes, and what the packer computed */
export function sentLaunch(
  request: LaunchRequest,
  known: Pick<
    SentLaunch,
    'requestSha256' | 'requestHash' | 'router' | 'artifactHash' | 'onchainLaunchId' | 'planDigest' | 'stepIds'
  >,
): SentLaunch {
  const { profile, contextHash, launchWallet, permitWindow, checkpoint, budgets, funding } = request;
  const { name, symbol, image } = request.projectMetadata;
  return {
    profile,
    contextHash,
    launchWallet,
    permitWindow,
    checkpoint,
    budgets,
    totalValueWei: funding.totalValueWei,
    metadata: { name, symbol, imageSha256: image.sha256 },
    components: request.graphBundle.components.map(({ componentId, predictedAddress, expectedRuntimeCodeHash }) => ({
      componentId,
      account: predictedAddress,
      runtimeCodeHash: expectedRuntimeCodeHash,
    })),
    requestSha256: known.requestSha256,
    requestHash: known.requestHash,
    router: known.router,
    artifactHash: known.artifactHash,
    onchainLaunchId: known.onchainLaunchId,
    planDigest: known.planDigest,
    stepIds: known.stepIds,
  };
}

/** Returns Unix seconds as a timestamp of the wire. */
export const timestampOf = (unixSeconds: string): string => new Date(Number(unixSeconds) * 1_000).toISOString();
