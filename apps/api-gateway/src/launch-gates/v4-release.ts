import type { Hex, Sha256Digest } from '@launch/contracts';

/** What a V4 context, once served, tells everybody. */
export interface BoundRelease {
  /** The profile that the server selected. */
  readonly profile: string;
  readonly contextHash: Hex;
  readonly platformFeeRecipient: Hex;
  /** The recipes of its context, `id@version`. */
  readonly recipes: readonly string[];
  /** The frozen machine contract of the profile. */
  readonly openApi: { readonly path: string; readonly sha256: Sha256Digest };
}

export interface ReleaseState {
  /** Null where no V4 context is served. */
  readonly bound: BoundRelease | null;
  /** What stands against it: the context, its price feeds or the machine contract are not as bound. Empty when all are. */
  readonly reasonCodes: readonly string[];
}

/** The V4 release of this deployment, as it was last found. */
export interface V4Release {
  /** The same object while nothing was found anew. */
  state(): ReleaseState;
}

/** Of a deployment without a V4 context: nothing can be launched under it. */
const UNBOUND: ReleaseState = { bound: null, reasonCodes: ['CONTEXT_NOT_CONFIGURED'] };
export const UNBOUND_RELEASE: V4Release = { state: () => UNBOUND };
