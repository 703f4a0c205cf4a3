import {
  CAIP2,
  CHAIN_DEPLOYMENT_ID,
  CHAIN_ID,
  contextSchema,
  DERIVED_CONTRACT_FINALITY_V3,
  ETHEREUM_FINALITY_V1,
  LIMITS,
  type LaunchContext,
  type Hex,
} from '@launch/contracts';
import { templateSetHash } from '../economics/published-recipe.js';
import { TEMPLATE_SETS } from '../economics/recognise-economics.js';
import {
  instructionPolicyHash,
  LINEAR_INSTRUCTION_POLICY,
  REACHABLE_INSTRUCTION_POLICY,
} from '../opcodes/instruction-policy.js';

const POLICIES = { v2: LINEAR_INSTRUCTION_POLICY, reachable: REACHABLE_INSTRUCTION_POLICY } as const;

/** Short names of the instruction policies, as settings say them. */
export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = ['v2', 'reachable'] as const satisfies readonly PolicyName[];

/** The finality generation that a context selects, as settings say it. */
export const FINALITY_NAMES = ['v2', 'v3'] as const;
export type FinalityName = (typeof FINALITY_NAMES)[number];

/** The sequencer's default limit of a transaction on chain 4663, in bytes. */
export const SEQUENCER_TRANSACTION_BYTES = 95_000;

type PinnedContract = LaunchContext['chainDeployment']['router'];
type Observers = LaunchContext['providerProfile']['l2Observers'];

/** What one deployment is, as people decided and the chain shows it; all else comes from the release. Addresses are lowercase. */
export interface ContextFacts {
  readonly profileId: string;
  readonly instructionPolicy: PolicyName;
  readonly finality: FinalityName;
  /** Commit and tree of the source that runs; a checkout without history has none. */
  readonly release?: { readonly sourceCommit: string; readonly sourceTree: string } | undefined;
  /** Versions the release's compiler service has pinned. */
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
  /** The rule that finality is judged by. */
  readonly finalityPolicyId?: string;
  /** Largest transaction the sequencer takes, in bytes. */
  readonly transactionBytes?: number;
}

/**
 * The context document of a deployment: development and production publish what this returns. A context of finality V3
 * differs from one of V2 in `profile.derivedContractFinality` alone (spec 2, Endpoints: version selection).
 * @throws ZodError when a fact is not of a context's form.
 */
export function buildContext(facts: ContextFacts): LaunchContext {
  const policy = POLICIES[facts.instructionPolicy];
  const identities = (observers: Observers): Observers =>
    observers.map(({ id, originCommitment }) => ({ id, originCommitment }));
  return contextSchema.parse({
    chainId: String(CHAIN_ID),
    caip2: CAIP2,
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      profileId: facts.profileId,
      instructionPolicy: {
        id: policy.id,
        policyHash: instructionPolicyHash(policy),
        document: JSON.parse(JSON.stringify(policy)) as Record<string, unknown>,
      },
      ...(facts.finality === 'v3' ? { derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 } : {}),
      ...(facts.release === undefined
        ? {}
        : { runtimeRelease: { schemaVersion: 'service.multi-role-runtime-release-instance.v2', ...facts.release } }),
      compilerVersions: [...facts.compilerVersions],
      recipes: TEMPLATE_SETS.map((set) => ({ ...set.recipe, templateSetHash: templateSetHash(set) })),
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
      finalityPolicyId: facts.finalityPolicyId ?? ETHEREUM_FINALITY_V1,
    },
    chainBindings: {
      router: facts.router.address,
      poolManager: facts.poolManager.address,
      platformFeeRecipient: facts.platformFeeRecipient,
      permitAuthorities: [...facts.permitAuthorities],
    },
  });
}
