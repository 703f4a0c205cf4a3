import {
  CHAIN_ETHEREUM_FINALIZED_V1,
  CUSTOM_LAUNCH_PROFILE_4_0,
  CUSTOM_LAUNCH_PROFILE_4_1,
  type CustomLaunchContext,
  customLaunchContextSchema,
  type UsdFeed,
} from '@launch/contracts/launch';
import {
  contextSchema,
  DERIVED_CONTRACT_FINALITY_V3,
  ETHEREUM_FINALITY_V1,
  type LaunchContext,
} from '@launch/contracts/multi-role';
import { CAIP2, CHAIN_DEPLOYMENT_ID, CHAIN_ID, LIMITS, type Hex } from '@launch/contracts/primitives';
import { NATIVE20_SEED_TEMPLATE_SET } from '../economics/native20-seed.template-set.js';
import { templateSetHash } from '../economics/published-recipe.js';
import { TEMPLATE_SETS } from '../economics/recognise-economics.js';
import type { TemplateSet } from '../economics/template-set.types.js';
import {
  instructionPolicyHash,
  LINEAR_INSTRUCTION_POLICY,
  REACHABLE_INSTRUCTION_POLICY,
} from '../opcodes/instruction-policy.js';

const POLICIES = { v2: LINEAR_INSTRUCTION_POLICY, reachable: REACHABLE_INSTRUCTION_POLICY } as const;

/** Short names of the instruction policies, as used in settings. */
export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = ['v2', 'reachable'] as const satisfies readonly PolicyName[];

/** The finality generations that a context can select, as named in settings. */
export const FINALITY_NAMES = ['v2', 'v3'] as const;
export type FinalityName = (typeof FINALITY_NAMES)[number];

/** The sequencer's default limit of a transaction on chain 4663, in bytes. */
export const SEQUENCER_TRANSACTION_BYTES = 95_000;

/** Profiles of custom launches and plans by version. */
const CUSTOM_LAUNCH_PROFILES = { '4.1': CUSTOM_LAUNCH_PROFILE_4_1, '4.0': CUSTOM_LAUNCH_PROFILE_4_0 } as const;
export type CustomLaunchProfileName = keyof typeof CUSTOM_LAUNCH_PROFILES;
export const CUSTOM_LAUNCH_PROFILE_NAMES = ['4.1', '4.0'] as const satisfies readonly CustomLaunchProfileName[];

/** The largest deviation between the prices of both feeds, unless a deployment sets its own. */
export const DEFAULT_MAX_DEVIATION_BPS = 100;

type PinnedContract = LaunchContext['chainDeployment']['router'];
type Observers = LaunchContext['providerProfile']['l2Observers'];

/**
 * The facts of one deployment, as operators decided and the chain shows them; all else comes from the release.
 * Addresses are lowercase.
 */
export interface DeploymentFacts {
  readonly profileId: string;
  readonly instructionPolicy: PolicyName;
  /** Commit and tree of the running source; absent for a checkout without history. */
  readonly release?: { readonly sourceCommit: string; readonly sourceTree: string } | undefined;
  /** Compiler versions that the release's compiler service pins. */
  readonly compilerVersions: readonly string[];
  readonly router: PinnedContract;
  readonly poolManager: PinnedContract;
  readonly sequencerInbox: Hex;
  readonly bridge: Hex;
  readonly nodeInterface: Hex;
  /** L2 block of the rollup's message 0, decimal. */
  readonly genesisBlock: string;
  readonly platformFeeRecipient: Hex;
  readonly permitAuthorities: readonly Hex[];
  readonly l2Observers: Observers;
  readonly l1Observers: Observers;
  /** Largest transaction that the sequencer accepts, in bytes. */
  readonly transactionBytes?: number;
}

/** The facts of a deployment of the multi-role API; `router` is router V2. */
export interface ContextFacts extends DeploymentFacts {
  readonly finality: FinalityName;
  /** The rule that judges finality. */
  readonly finalityPolicyId?: string;
}

/** The facts of a deployment of custom launches and plans; `router` is router V1. */
export interface CustomLaunchFacts extends DeploymentFacts {
  readonly profile: CustomLaunchProfileName;
  /** Price feed of the native currency on the launch's own chain. */
  readonly l2Feed: UsdFeed;
  /** Price feed of the same currency on Ethereum. */
  readonly l1Feed: UsdFeed;
  readonly maxDeviationBps?: number;
}

/**
 * Builds the context document of a deployment; development and production publish its result. A context of finality V3
 * differs from one of V2 in `profile.derivedContractFinality` alone (docs/reference/finality.md#generations).
 * @throws ZodError if a fact violates the schema of a context.
 */
export function buildContext(facts: ContextFacts): LaunchContext {
  const { profile, providerProfile, ...context } = partsOf(facts, TEMPLATE_SETS);
  return contextSchema.parse({
    ...context,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      ...profile,
      ...(facts.finality === 'v3' ? { derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 } : {}),
    },
    providerProfile: { ...providerProfile, finalityPolicyId: facts.finalityPolicyId ?? ETHEREUM_FINALITY_V1 },
  });
}

/**
 * Builds the context document of custom launches and plans: the same parts with router V1, the one recipe of its
 * profile, and the price feeds that measure a first buy.
 * @throws ZodError if a fact violates the schema of a context.
 */
export function buildCustomLaunchContext(facts: CustomLaunchFacts): CustomLaunchContext {
  const { profile, providerProfile, chainDeployment, ...context } = partsOf(facts, [NATIVE20_SEED_TEMPLATE_SET]);
  const { l2Feed, l1Feed, maxDeviationBps = DEFAULT_MAX_DEVIATION_BPS } = facts;
  return customLaunchContextSchema.parse({
    ...context,
    profile: { schemaVersion: CUSTOM_LAUNCH_PROFILES[facts.profile], ...profile },
    chainDeployment: { ...chainDeployment, usdReference: { l2Feed, l1Feed, maxDeviationBps } },
    providerProfile: { ...providerProfile, finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1 },
  });
}

/** Builds the parts that the contexts of all families share. */
function partsOf(facts: DeploymentFacts, recipes: readonly TemplateSet[]) {
  const policy = POLICIES[facts.instructionPolicy];
  const identities = (observers: Observers): Observers =>
    observers.map(({ id, originCommitment }) => ({ id, originCommitment }));
  return {
    chainId: String(CHAIN_ID),
    caip2: CAIP2,
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      profileId: facts.profileId,
      instructionPolicy: {
        id: policy.id,
        policyHash: instructionPolicyHash(policy),
        document: JSON.parse(JSON.stringify(policy)) as Record<string, unknown>,
      },
      ...(facts.release === undefined
        ? {}
        : { runtimeRelease: { schemaVersion: 'service.multi-role-runtime-release-instance.v2', ...facts.release } }),
      compilerVersions: [...facts.compilerVersions],
      recipes: recipes.map((set) => ({ ...set.recipe, templateSetHash: templateSetHash(set) })),
      limits: {
        requestBytes: LIMITS.requestBytes,
        initCodeBytes: LIMITS.initCodeBytes,
        runtimeCodeBytes: LIMITS.runtimeCodeBytes,
        transactionBytes: facts.transactionBytes ?? SEQUENCER_TRANSACTION_BYTES,
        permitWindowSeconds: LIMITS.permitWindowSeconds,
      },
    },
    chainDeployment: {
      router: facts.router,
      poolManager: facts.poolManager,
      sequencerInbox: facts.sequencerInbox,
      bridge: facts.bridge,
      nodeInterface: facts.nodeInterface,
      genesisBlock: facts.genesisBlock,
    },
    providerProfile: {
      l2Observers: identities(facts.l2Observers),
      l1Observers: identities(facts.l1Observers),
    },
    chainBindings: {
      router: facts.router.address,
      poolManager: facts.poolManager.address,
      platformFeeRecipient: facts.platformFeeRecipient,
      permitAuthorities: [...facts.permitAuthorities],
    },
  };
}
