import { MACHINE_CONTRACT_DIGESTS, MACHINE_CONTRACT_PATH } from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, profileVersionOf } from '@launch/contracts/launch';
import { canonicalJsonText } from '@launch/contracts/json';
import { canonicalKeccak, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { NATIVE20_SEED_TEMPLATE_SET } from '@launch/evm';
import type { MachineContracts } from './machine-contracts.js';
import type { LaunchChain } from '../chain/launch-chain.js';
import { ContextWatch, type ContextReadiness, type ContextWatchParts } from '../context/context-watch.js';
import { reviewReasons, type ReviewedRouter } from '../context/router-review.js';

/** Names the release of custom launches that the process serves. */
export const CUSTOM_LAUNCH_RELEASE = Symbol('CustomLaunchRelease');

/** The public facts of a custom-launch context that was served. */
export interface BoundRelease {
  /** The profile that the server selected. */
  readonly profile: string;
  readonly contextHash: Hex;
  readonly context: CustomLaunchContext;
  readonly platformFeeRecipient: Hex;
  /** The recipes of its context, `id@version`. */
  readonly recipes: readonly string[];
  /** The frozen machine contract of the profile. */
  readonly openApi: { readonly path: string; readonly sha256: Sha256Digest };
}

export interface ReleaseState {
  /** Null where no custom-launch context is served. */
  readonly bound: BoundRelease | null;
  /** Reasons against it: the context, its price feeds or the machine contract differ from the bound ones. Empty when none does. */
  readonly reasonCodes: readonly string[];
}

/** The custom-launch release of this deployment, as last checked. */
export interface CustomLaunchRelease {
  /** Returns the same object while nothing changes. */
  state(): ReleaseState;
  /** Returns the context that new requests are judged by; null where none is served. `state` reports whether it is as bound now. */
  context(): CustomLaunchContext | null;
}

/** The state of a deployment without a custom-launch context, under which nothing can be launched. */
const UNBOUND: ReleaseState = { bound: null, reasonCodes: ['CONTEXT_NOT_CONFIGURED'] };
export const UNBOUND_RELEASE: CustomLaunchRelease = { state: () => UNBOUND, context: () => null };

export interface LiveCustomLaunchReleaseParts extends ContextWatchParts {
  readonly context: CustomLaunchContext;
  readonly chain: Pick<LaunchChain, 'readinessReasons'>;
  readonly reviewedRouters: readonly ReviewedRouter[];
  readonly machineContracts: MachineContracts;
}

/** The release of a configured context. Review, contracts, feeds and machine contract are checked periodically. */
export class LiveCustomLaunchRelease implements CustomLaunchRelease {
  private readonly bound: BoundRelease;
  private readonly watch: ContextWatch;
  private last: { readonly of: ContextReadiness; readonly state: ReleaseState } | undefined;

  constructor(private readonly parts: LiveCustomLaunchReleaseParts) {
    const { context, chain, reviewedRouters, machineContracts } = parts;
    const { recipes } = context.profile;
    const version = profileVersionOf(context);
    const { contentSha256 } = machineContracts[version];
    this.bound = {
      profile: `${version}.0`,
      contextHash: canonicalKeccak(context),
      context,
      platformFeeRecipient: context.chainBindings.platformFeeRecipient,
      recipes: recipes.map(({ id, version: recipe }) => `${id}@${recipe}`),
      openApi: { path: MACHINE_CONTRACT_PATH, sha256: contentSha256 },
    };
    const reasons = async (): Promise<readonly string[]> => {
      if (contentSha256 !== MACHINE_CONTRACT_DIGESTS[version]) return ['MACHINE_CONTRACT_MISMATCH'];
      const review = reviewReasons(context, reviewedRouters, [NATIVE20_SEED_TEMPLATE_SET]);
      return review.length > 0 ? review : chain.readinessReasons(context);
    };
    const { contextHash } = this.bound;
    this.watch = new ContextWatch({ contextHash, canonicalText: canonicalJsonText(context), reasons }, parts);
  }

  /** Checks now and keeps checking; resolves after the first check. */
  start(): Promise<void> {
    return this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  state(): ReleaseState {
    const of = this.watch.describe();
    if (this.last?.of !== of) this.last = { of, state: { bound: this.bound, reasonCodes: of.reasonCodes } };
    return this.last.state;
  }

  context(): CustomLaunchContext {
    return this.parts.context;
  }
}
