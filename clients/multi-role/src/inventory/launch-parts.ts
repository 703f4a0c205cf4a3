import { type AnyLaunchContext, INVENTORY_LIQUIDITY_KIND, type InventoryParameters } from '@launch/contracts/launch';
import type { InventoryProjectInput, PackConfig } from '@launch/contracts/multi-role';
import {
  canonicalSha256,
  decodeBase64,
  encodeBase64,
  sha256Digest,
  type Sha256Digest,
} from '@launch/contracts/primitives';
import {
  INVENTORY_TEMPLATE_SET,
  inventoryPosition,
  type Hex,
  type InventoryPosition,
  type TemplateSet,
} from '@launch/evm';
import { keccak256, stringToBytes } from 'viem/utils';
import { describeImage } from '../builder/launch-image.js';
import { instantOf, sourceBundleDigest, sourceLineage } from '../builder/launch-source.js';
import { inventoryNumbers } from '../numbers/inventory-numbers.js';
import { PackError, type PackFinding } from '../offline/pack.error.js';
import { placeLaunch, type PlacedContract, type PlacedLaunch } from './inventory-launch.js';
import { requireReviewedMaterial, type InventoryMaterial } from './inventory-material.js';

/** The choices of a launch of the inventory contracts, in any family. */
export interface ChosenLaunch extends Pick<
  InventoryProjectInput,
  'launchWallet' | 'nonce' | 'permitWindow' | 'project' | 'publicOrigin'
> {
  readonly context: AnyLaunchContext;
  readonly parameters: InventoryParameters;
}

/** The members of such a launch in requests of every family. */
export type LaunchParts = Omit<PackConfig, 'schemaVersion' | 'context' | 'funding' | 'fundingPlan'>;

export interface BuiltParts {
  readonly parts: LaunchParts;
  readonly placed: PlacedLaunch;
  readonly position: InventoryPosition;
}

const COMPILATION_UNIT = 'inventory';
const COMPONENT_IDS = ['initializer', 'token', 'hook'] as const;
/** The hook's index among the components: the vault's parent. */
const HOOK_INDEX = 2;

const invalid = (findings: readonly PackFinding[]): PackError =>
  new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', findings);

/**
 * Derives the position, predicts all addresses and runtimes, mines the hook's salt.
 *
 * @param templates the reviewed set that the family launches these contracts by.
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` if no pool can have the parameters, the image is not admissible, the
 * context contradicts itself, or no salt was found.
 */
export async function buildLaunchParts(
  chosen: ChosenLaunch,
  templates: TemplateSet,
  material: InventoryMaterial,
  onProgress?: (attempts: number) => void,
): Promise<BuiltParts> {
  requireReviewedMaterial(material);
  requireOffered(chosen.context, templates);
  const { context, project, parameters } = chosen;
  const position = positionOf(parameters);
  const placed = await placeLaunch(material, {
    context,
    wallet: chosen.launchWallet,
    nonce: BigInt(chosen.nonce),
    name: project.name,
    symbol: project.symbol,
    parameters,
    ...(onProgress ? { onProgress } : {}),
  });
  if (placed === null)
    throw invalid([{ path: '', message: 'no salt within the bounds gives an address with the hook permissions' }]);
  return { parts: partsOf(chosen, material, placed, position), placed, position };
}

/** Checks the context: one half supplies the arguments, the other checks them, and it must offer the compiler. */
function requireOffered(context: AnyLaunchContext, { recipe, compilerVersion }: TemplateSet): void {
  const { chainBindings, chainDeployment, profile } = context;
  const findings: PackFinding[] = [];
  if (chainBindings.router !== chainDeployment.router.address)
    findings.push({ path: '/context/chainBindings/router', message: 'is not the deployed router' });
  if (chainBindings.poolManager !== chainDeployment.poolManager.address) {
    findings.push({ path: '/context/chainBindings/poolManager', message: 'is not the deployed PoolManager' });
  }
  if (!profile.recipes.some(({ id, version }) => id === recipe.id && version === recipe.version)) {
    findings.push({ path: '/context/profile/recipes', message: `do not offer ${recipe.id}@${recipe.version}` });
  }
  if (!profile.compilerVersions.includes(compilerVersion))
    findings.push({ path: '/context/profile/compilerVersions', message: `do not offer ${compilerVersion}` });
  if (findings.length > 0) throw invalid(findings);
}

/** @throws {PackError} for numbers that no pool can have */
function positionOf(parameters: InventoryParameters): InventoryPosition {
  inventoryNumbers({ parameters });
  const { inventoryRaw, tickLower, tickUpper, tickSpacing } = parameters;
  const result = inventoryPosition(BigInt(inventoryRaw), { tickLower, tickUpper, tickSpacing });
  if (!result.ok) throw new TypeError('the numbers stand and their position does not');
  return result.position;
}

function partsOf(
  input: ChosenLaunch,
  material: InventoryMaterial,
  placed: PlacedLaunch,
  position: InventoryPosition,
): LaunchParts {
  const { context, parameters, launchWallet, nonce, permitWindow } = input;
  const { tickLower, tickUpper, tickSpacing } = parameters;
  const standardJson = stringToBytes(material.standardJsonInput);
  const unit = {
    compilationUnitId: COMPILATION_UNIT,
    compilerVersion: INVENTORY_TEMPLATE_SET.compilerVersion,
    standardJsonInputBase64: encodeBase64(standardJson),
  };
  const imagePath = input.project.image.path;
  const additionalFiles = [{ path: imagePath, base64: input.project.image.base64 }];
  const sourceBundleSha256 = sourceBundleDigest(unit, additionalFiles);
  if (sourceBundleSha256 === null)
    throw invalid([{ path: '/project/image/path', message: 'names a source of the contracts' }]);
  return {
    launchWallet,
    nonce,
    permitWindow,
    source: { ...sourceLineage(launchWallet, BigInt(nonce), input.publicOrigin), imagePath, additionalFiles },
    compiler: {
      compilationUnits: [unit],
      components: placed.components.map(({ template, constructorArgs }, index) => ({
        componentId: COMPONENT_IDS[index]!,
        target: { compilationUnitId: COMPILATION_UNIT, path: template.path, contract: template.contract },
        constructor: { encoding: 'abi', argumentsHash: keccak256(constructorArgs) },
        runtimeMaterialization: { method: 'create2-from-router', libraries: [] },
      })),
    },
    externalContracts: [
      {
        roleMask: 0,
        account: context.chainDeployment.poolManager.address,
        runtimeCodeHash: context.chainDeployment.poolManager.runtimeCodeHash,
      },
    ],
    graphBundle: {
      sourceBundleSha256,
      components: placed.components.map(componentOf),
      children: [
        {
          parentIndex: HOOK_INDEX,
          roleMask: vaultRole(),
          account: placed.vault,
          runtimeCodeHash: placed.vaultRuntimeHash,
        },
      ],
      officialPool: { poolKey: { ...placed.poolKey }, sqrtPriceX96: position.sqrtPriceX96.toString() },
    },
    projectMetadata: {
      name: input.project.name,
      symbol: input.project.symbol,
      description: input.project.description,
      links: input.project.links,
      image: describeImage(decodeBase64(input.project.image.base64), '/project/image/base64'),
    },
    liquidityModel: {
      kind: INVENTORY_LIQUIDITY_KIND,
      tickLower,
      tickUpper,
      tickSpacing,
      liquidity: position.liquidity.toString(),
    },
    attestation: {
      agentId: 'service.inventory-builder.v3',
      checkedAt: instantOf(permitWindow.validAfter),
      checks: checksOf(standardJson, placed, position),
    },
  };
}

/** Returns the addresses of a report. */
export const predictedAddressesOf = ({ components: [initializer, token, hook], vault }: PlacedLaunch) => ({
  initializer: initializer.account,
  token: token.account,
  hook: hook.account,
  feeVault: vault,
});

const vaultRole = (): number => INVENTORY_TEMPLATE_SET.contracts.find(({ role }) => role === 'child')!.roleMask;

function componentOf(
  { template, salt, creationCode, constructorArgs, account, runtime }: PlacedContract,
  index: number,
): PackConfig['graphBundle']['components'][number] {
  return {
    componentId: COMPONENT_IDS[index]!,
    roleMask: template.roleMask,
    salt,
    creationBytecode: creationCode,
    constructorArgs,
    predictedAddress: account,
    expectedRuntimeCode: runtime,
    expectedRuntimeCodeHash: keccak256(runtime),
  };
}

/** Lists the builder's steps, each with the digest of its subject. They are evidence of work, not of safety. */
function checksOf(
  standardJson: Uint8Array,
  { components, vault, poolId }: PlacedLaunch,
  position: InventoryPosition,
): PackConfig['attestation']['checks'] {
  const digestOf = (parts: readonly Hex[]): Sha256Digest => canonicalSha256(parts);
  return [
    { checkId: 'compiler-input-digest', evidenceSha256: sha256Digest(standardJson) },
    {
      checkId: 'constructor-arguments-encoded',
      evidenceSha256: digestOf(components.map(({ constructorArgs }) => constructorArgs)),
    },
    { checkId: 'runtime-templates-filled', evidenceSha256: digestOf(components.map(({ runtime }) => runtime)) },
    {
      checkId: 'addresses-predicted',
      evidenceSha256: digestOf([...components.map(({ account }) => account), vault, poolId]),
    },
    {
      checkId: 'position-derived',
      evidenceSha256: canonicalSha256({
        liquidity: position.liquidity.toString(),
        settledRaw: position.settledRaw.toString(),
      }),
    },
  ];
}
