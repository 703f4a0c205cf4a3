import { NATIVE20_LIQUIDITY_KIND } from '@launch/contracts/launch';
import {
  PACK_CONFIG_SCHEMA,
  type InertPackConfig,
  type LaunchContext,
  type PackConfig,
} from '@launch/contracts/multi-role';
import { canonicalSha256, decodeBase64, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { Hex } from '@launch/evm';
import { hexToBytes, keccak256 } from 'viem/utils';
import { native20Numbers } from '../numbers/native20-numbers.js';
import { PackError } from '../offline/pack.error.js';
import {
  placeProject,
  prepareProject,
  type PlacedProject,
  type PreparedProject,
  type ProjectChoices,
} from './native20-project.js';
import { sourceBundleDigest, sourceLineage } from './launch-source.js';
import { mineSalt } from './salt-miner.js';

/** The live values that the inert configuration lacks. Times in unix seconds. */
export interface LaunchInputs extends ProjectChoices {
  readonly context: LaunchContext;
  readonly wallet: Hex;
  readonly nonce: bigint;
  readonly validAfter: bigint;
  readonly deadline: bigint;
  /** RFC 3339 with milliseconds. Only the attestation contains it. */
  readonly checkedAt: string;
  readonly maxAttempts: number;
  readonly onProgress?: (attempts: number) => void;
}

export interface BuiltConfig {
  readonly config: PackConfig;
  readonly placed: PlacedProject;
  readonly attempts: number;
}

const invalid = (path: string, message: string): PackError =>
  new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', [{ path, message }]);

/**
 * Fills an inert configuration for one launch: constructor arguments from the context, a mined salt, the addresses, runtimes,
 * pool and sums that follow. The same inputs give the same configuration.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` if the inputs contradict each other, no pool can have the numbers, or no
 * salt was found.
 */
export async function buildPackConfig(inert: InertPackConfig, inputs: LaunchInputs): Promise<BuiltConfig> {
  requireConsistent(inert, inputs.context);
  native20Numbers(inert);
  const prepared = prepareProject(inert.project, inputs.context, inputs);
  const { component } = inert.project;
  const mined = await mineSalt({
    router: inputs.context.chainBindings.router,
    controller: inputs.wallet,
    nonce: inputs.nonce,
    initCodeHash: prepared.initCodeHash,
    hookFlags: inert.project.hookFlags,
    maxAttempts: inputs.maxAttempts,
    ...(inputs.onProgress ? { onProgress: inputs.onProgress } : {}),
  });
  if (mined === null)
    throw invalid('--max-attempts', 'no salt within the bounds gives an address with the hook permissions');
  const placed = placeProject(inert.project, inputs.context, prepared, mined.salt);
  const { componentId, roleMask, template } = component;
  const config: PackConfig = {
    schemaVersion: PACK_CONFIG_SCHEMA,
    context: inputs.context,
    launchWallet: inputs.wallet,
    nonce: inputs.nonce.toString(),
    permitWindow: { validAfter: inputs.validAfter.toString(), deadline: inputs.deadline.toString() },
    source: sourceOf(inert, inputs),
    compiler: {
      compilationUnits: [
        {
          compilationUnitId: inert.compiler.compilationUnitId,
          compilerVersion: inert.compiler.compilerVersion,
          standardJsonInputBase64: inert.compiler.standardJsonInputBase64,
        },
      ],
      components: [
        {
          componentId,
          target: template.target,
          constructor: { encoding: 'abi', argumentsHash: keccak256(prepared.constructorArgs) },
          runtimeMaterialization: { method: 'create2-from-router', libraries: [] },
        },
      ],
    },
    externalContracts: [
      {
        roleMask: 0,
        account: inputs.context.chainDeployment.poolManager.address,
        runtimeCodeHash: inputs.context.chainDeployment.poolManager.runtimeCodeHash,
      },
    ],
    graphBundle: {
      sourceBundleSha256: bundleDigest(inert),
      components: [
        {
          componentId,
          roleMask,
          salt: mined.salt,
          creationBytecode: template.creationBytecode,
          constructorArgs: prepared.constructorArgs,
          predictedAddress: placed.account,
          expectedRuntimeCode: placed.runtime,
          expectedRuntimeCodeHash: keccak256(placed.runtime),
        },
      ],
      children: [
        {
          parentIndex: 0,
          roleMask: inert.project.child.roleMask,
          account: placed.vault,
          runtimeCodeHash: placed.vaultRuntimeHash,
        },
      ],
      officialPool: { poolKey: { ...placed.poolKey }, sqrtPriceX96: placed.sqrtPriceX96.toString() },
    },
    projectMetadata: { ...inert.projectMetadata, name: inputs.name, symbol: inputs.symbol },
    funding: { totalValueWei: inert.funding.totalValueWei },
    fundingPlan: inert.funding.plan,
    liquidityModel: liquidityOf(inert, placed),
    attestation: {
      agentId: 'service.multi-role-reference-builder.v2',
      checkedAt: inputs.checkedAt,
      checks: checksOf(inert, prepared, placed),
    },
  };
  return { config, placed, attempts: mined.attempts };
}

/**
 * Checks that both halves of a context name the same router and PoolManager: one supplies the arguments, the other checks them.
 */
function requireConsistent(inert: InertPackConfig, { chainBindings, chainDeployment }: LaunchContext): void {
  if (
    chainBindings.router !== chainDeployment.router.address ||
    chainBindings.poolManager !== chainDeployment.poolManager.address
  ) {
    throw invalid('--capabilities', 'the context binds another router or PoolManager than it deploys');
  }
  if (sha256Digest(decodeBase64(inert.compiler.standardJsonInputBase64)) !== inert.compiler.standardJsonInputSha256) {
    throw invalid('/compiler/standardJsonInputSha256', 'is not the digest of the Standard JSON input');
  }
}

function sourceOf({ source }: InertPackConfig, { wallet, nonce }: LaunchInputs): PackConfig['source'] {
  return {
    ...sourceLineage(wallet, nonce, source.publicOrigin),
    imagePath: source.imagePath,
    additionalFiles: source.additionalFiles,
  };
}

function bundleDigest({ compiler, source }: InertPackConfig): Sha256Digest {
  const digest = sourceBundleDigest(compiler, source.additionalFiles);
  if (digest === null) throw invalid('/compiler/standardJsonInputBase64', 'is not a readable Standard JSON input');
  return digest;
}

function liquidityOf({ project }: InertPackConfig, { liquidity }: PlacedProject): PackConfig['liquidityModel'] {
  const { tickLower, tickUpper, tickSpacing } = project.parameters;
  return { kind: NATIVE20_LIQUIDITY_KIND, tickLower, tickUpper, tickSpacing, liquidity: liquidity.toString() };
}

/** Lists the builder's steps, each with the digest of its subject. They are evidence of work, not of safety. */
function checksOf(
  inert: InertPackConfig,
  prepared: PreparedProject,
  placed: PlacedProject,
): PackConfig['attestation']['checks'] {
  return [
    { checkId: 'compiler-input-digest', evidenceSha256: inert.compiler.standardJsonInputSha256 },
    { checkId: 'constructor-arguments-encoded', evidenceSha256: sha256Digest(hexToBytes(prepared.constructorArgs)) },
    { checkId: 'runtime-template-filled', evidenceSha256: sha256Digest(hexToBytes(placed.runtime)) },
    {
      checkId: 'addresses-predicted',
      evidenceSha256: canonicalSha256({ account: placed.account, poolId: placed.poolId, vault: placed.vault }),
    },
  ];
}
