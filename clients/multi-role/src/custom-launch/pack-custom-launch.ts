import {
  type AnyCustomLaunchRequest,
  anyCustomLaunchRequestSchema,
  CUSTOM_LAUNCH_REQUEST_4_0,
  CUSTOM_LAUNCH_REQUEST_4_1,
  type CustomLaunchPackConfig,
  type CustomLaunchPackReport,
} from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, profileVersionOf } from '@launch/contracts/launch';
import { orderFindings, type CustomLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import { canonicalKeccak, decodeBase64, keccak256Hex, LIMITS, sha256Digest } from '@launch/contracts/primitives';
import {
  fundingTotals,
  judgedCustomLaunch,
  launchV1Commitments,
  NATIVE20_SEED_POOL,
  NATIVE20_SEED_TEMPLATE_SET,
} from '@launch/evm';
import { collectSources, CUSTOM_LAUNCH_OFFLINE, economicsOf, judge, manifestOf } from '@launch/launch-rules';
import { inflate } from '#inflate';
import type { InventoryMaterial } from '../inventory/inventory-material.js';
import { buildLaunchParts, predictedAddressesOf, type LaunchParts } from '../inventory/launch-parts.js';
import { PackError, type PackFinding } from '../offline/pack.error.js';
import { validateDocument } from '../offline/strict-document.js';
import { compilerMembers, sourceMembers, tooLargeError } from '../packer/pack-request.js';

/** The bytes of a custom-launch create request (RFC 8785) with the packing report. */
export interface PackedCustomLaunch {
  readonly bytes: Uint8Array;
  readonly report: CustomLaunchPackReport;
}

export const PACK_CONFIG_INVALID = 'MULTI_ROLE_PACK_CONFIG_INVALID';

/** The profile of the context determines the request: 4.1 requires the atomic buy, 4.0 has none. */
const OF_PROFILE = {
  '4.1': { schemaVersion: CUSTOM_LAUNCH_REQUEST_4_1, profile: '4.1.0', fundingKind: 'atomic-native-buy' },
  '4.0': { schemaVersion: CUSTOM_LAUNCH_REQUEST_4_0, profile: '4.0.0', fundingKind: 'none' },
} as const;

/**
 * Packs a custom launch of the recipe `native20-seed@1`, of the profile that the context publishes. Pure: it derives
 * the position, predicts addresses and runtimes, mines the hook's salt from the nonce, and judges the result by every
 * rule that needs only its bytes.
 *
 * @param context the document whose hash the config names.
 * @throws {PackError} with all findings of the first stage that has any.
 */
export async function packCustomLaunch(
  config: CustomLaunchPackConfig,
  context: CustomLaunchContext,
  material: InventoryMaterial,
  onProgress?: (attempts: number) => void,
): Promise<PackedCustomLaunch> {
  if (canonicalKeccak(context) !== config.contextHash)
    throw new PackError(PACK_CONFIG_INVALID, [{ path: '/contextHash', message: 'is not the hash of the context' }]);
  const { launchWallet, nonce, permitWindow, project, publicOrigin, liquidity, creator, buy } = config;
  const parameters = {
    ...liquidity,
    ...buy,
    tickSpacing: NATIVE20_SEED_POOL.tickSpacing,
    creatorBuyFeeBps: creator.buyFeeBps,
    creatorSellFeeBps: creator.sellFeeBps,
    creatorRecipient: creator.recipient,
  };
  const chosen = { context, launchWallet, nonce, permitWindow, project, publicOrigin, parameters };
  const { parts, placed } = await buildLaunchParts(chosen, NATIVE20_SEED_TEMPLATE_SET, material, onProgress).catch(
    (error: unknown) => {
      throw error instanceof PackError ? new PackError(error.code, error.findings.map(inConfig)) : error;
    },
  );
  const request = requestOf(config, parts, context);
  const findings = findingsOf(request, context);
  if (findings.length > 0) throw new PackError(PACK_CONFIG_INVALID, orderFindings(findings).map(toPackFinding));
  const bytes = canonicalizeJson(request);
  if (bytes.length > LIMITS.requestBytes) throw tooLargeError();
  const requestSha256 = sha256Digest(bytes);
  const { artifactHash, onchainLaunchId } = launchV1Commitments({ ...judgedCustomLaunch(request, context) }, context);
  return {
    bytes,
    report: {
      schemaVersion: 'service.custom-launch-pack-report.v4.1',
      requestSha256,
      requestHash: keccak256Hex(bytes),
      contextHash: config.contextHash,
      artifactHash,
      onchainLaunchId,
      byteLength: bytes.length,
      idempotencyKey: `v4-${requestSha256.slice('sha256:'.length)}`,
      predictedAddresses: predictedAddressesOf(placed),
      poolId: placed.poolId,
      totalValueWei: request.funding.totalValueWei,
      miningAttempts: placed.miningAttempts,
    },
  };
}

function requestOf(
  config: CustomLaunchPackConfig,
  parts: LaunchParts,
  context: CustomLaunchContext,
): AnyCustomLaunchRequest {
  const { compiler, source, ...shared } = parts;
  const sources = collectSources(compiler.compilationUnits, source.additionalFiles, '/project/image');
  if (!sources.ok) throw new TypeError('the sources of the reviewed contracts are no bundle');
  const { initialBuyWei, minimumTokensOut } = config.buy;
  const totals = fundingTotals({ initialBuyWei: BigInt(initialBuyWei), liquidityNativeWei: 0n });
  const { schemaVersion, profile, fundingKind } = OF_PROFILE[profileVersionOf(context)];
  return validateDocument(
    anyCustomLaunchRequestSchema,
    {
      schemaVersion,
      profile,
      chainId: '4663',
      caip2: 'eip155:4663',
      contextHash: config.contextHash,
      checkpoint: config.checkpoint,
      ...shared,
      source: sourceMembers(source, manifestOf(sources.files)),
      compilerVerification: compilerMembers(compiler),
      funding: {
        kind: fundingKind,
        initialBuyWei,
        minimumTokensOut,
        liquidityNativeWei: '0',
        platformFeeWei: String(totals.platformFeeWei),
        totalValueWei: String(totals.totalValueWei),
      },
      budgets: config.budgets,
      moduleSelections: [],
    },
    PACK_CONFIG_INVALID,
  );
}

function findingsOf(body: AnyCustomLaunchRequest, context: CustomLaunchContext): CustomLaunchFinding[] {
  const request = judgedCustomLaunch(body, context);
  const file = body.source.additionalFiles.find(({ path }) => path === body.source.imagePath);
  const image = file === undefined ? null : decodeBase64(file.base64);
  const economics = economicsOf(request);
  return judge(CUSTOM_LAUNCH_OFFLINE, { request, image, inflate, economics });
}

/** Maps the builders' parameters to their place in the config, and the request's funding. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\/parameters(?=\/(?:inventoryRaw|tick\w+)$)/, '/liquidity'],
  [/^\/(?:parameters|funding)(?=\/(?:initialBuyWei|minimumTokensOut)$)/, '/buy'],
];

const inConfig = (finding: PackFinding): PackFinding => ({
  ...finding,
  path: PLACES.reduce((path, [from, to]) => path.replace(from, to), finding.path),
});

/** Omits expected and actual values, because they are input. */
const toPackFinding = ({ code, path, message }: CustomLaunchFinding): PackFinding =>
  inConfig({ path, message: `${code}: ${message}` });
