import { CAIP2, CHAIN_DEPLOYMENT_ID, contextSchema, DERIVED_CONTRACT_FINALITY_V3, keccak256Hex, LIMITS } from '@launch/contracts';
import type { LaunchContext } from '@launch/contracts';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import type { DevnetDescription, RpcProvider } from '@launch/devnet';
import { instructionPolicyHash, LINEAR_INSTRUCTION_POLICY, REACHABLE_INSTRUCTION_POLICY, templateSetHash, TEMPLATE_SETS } from '@launch/evm';

export type PolicyName = 'v2' | 'reachable';
/** Which finality generation the published context selects. */
export type FinalityName = 'v2' | 'v3';
export type RuntimeRelease = NonNullable<LaunchContext['profile']['runtimeRelease']>;

/** The sequencer's default limit of a transaction on chain 4663, in bytes. */
const TRANSACTION_BYTES = 95_000;

/** The review that a context needs to be served, of the router that was deployed with these very chains. */
export function developmentReviews({ profile, chainDeployment }: LaunchContext): object {
  const { id: policyId, policyHash } = profile.instructionPolicy;
  const { address: router, runtimeCodeHash } = chainDeployment.router;
  return { schemaVersion: 'service.multi-role-reviewed-routers.v1', routers: [{ policyId, policyHash, router, runtimeCodeHash }] };
}

/**
 * The context that the development chains stand for: what a reviewed release would publish, from what was just deployed.
 * @param release the source that runs; a checkout without history has none.
 */
export function buildDevelopmentContext(devnet: DevnetDescription, policy: PolicyName = 'reachable', release?: RuntimeRelease, finality: FinalityName = 'v2'): LaunchContext {
  const document = policy === 'v2' ? LINEAR_INSTRUCTION_POLICY : REACHABLE_INSTRUCTION_POLICY;
  const { contracts } = devnet;
  const pinned = (contract: { address: string; runtimeCodeHash: string }) => ({ address: contract.address.toLowerCase(), runtimeCodeHash: contract.runtimeCodeHash });
  const observer = ({ id, url }: RpcProvider) => ({ id, originCommitment: keccak256Hex(new TextEncoder().encode(new URL(url).origin)) });
  const router = contracts.router.address.toLowerCase();
  return contextSchema.parse({
    chainId: '4663',
    caip2: CAIP2,
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      profileId: `development-${policy}`,
      instructionPolicy: {
        id: document.id,
        policyHash: instructionPolicyHash(document),
        document: JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
      },
      ...(finality === 'v3' ? { derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 } : {}),
      ...(release === undefined ? {} : { runtimeRelease: release }),
      compilerVersions: [...PINNED_COMPILER_VERSIONS],
      recipes: TEMPLATE_SETS.map((set) => ({ ...set.recipe, templateSetHash: templateSetHash(set) })),
      limits: {
        requestBytes: LIMITS.requestBytes,
        initCodeBytes: LIMITS.initCodeBytes,
        runtimeCodeBytes: LIMITS.runtimeCodeBytes,
        transactionBytes: TRANSACTION_BYTES,
        permitWindowSeconds: LIMITS.permitWindowSeconds,
      },
    },
    chainDeployment: {
      router: pinned(contracts.router),
      poolManager: pinned(contracts.poolManager),
      sequencerInbox: contracts.sequencerInbox.address.toLowerCase(),
      bridge: contracts.bridge.address.toLowerCase(),
      nodeInterface: contracts.nodeInterface.address.toLowerCase(),
      genesisBlock: String(devnet.genesisL2Block),
    },
    providerProfile: {
      l2Observers: devnet.rpc['4663'].map(observer),
      l1Observers: devnet.rpc['1'].map(observer),
      finalityPolicyId: 'service.ethereum-finality.v1',
    },
    chainBindings: {
      router,
      poolManager: contracts.poolManager.address.toLowerCase(),
      platformFeeRecipient: devnet.platformFeeRecipient.toLowerCase(),
      permitAuthorities: [devnet.permitAuthority.address.toLowerCase()],
    },
  });
}
