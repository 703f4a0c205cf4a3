import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA, type CustomLaunchPackConfig } from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, customLaunchContextSchema, profileVersionOf } from '@launch/contracts/launch';
import { inventoryProjectsSchema } from '@launch/contracts/multi-role';
import type { PlanMode } from '@launch/contracts/plans';
import type { Sha256Digest } from '@launch/contracts/primitives';
import {
  INITIAL_BUY_QUOTE_PATH,
  initialBuyQuoteSchema,
  launchCapabilitiesSchema,
  launchReadinessSchema,
  launchReportPath,
} from '@launch/contracts/reports';
import type { Stack } from '../stack.schema.js';
import { packCustomLaunch, packPlan, type PackedCustomLaunch, type PackedPlan } from '@launch/multi-role';
import type { z } from 'zod';
import { inventoryMaterial } from './inventory-material.js';

/** A config but for the context's hash, and the context that it is packed under. */
export interface InventoryConfig {
  readonly config: Omit<CustomLaunchPackConfig, 'contextHash'>;
  readonly context: CustomLaunchContext;
}

export interface PackedOnStack extends PackedCustomLaunch {
  readonly config: CustomLaunchPackConfig;
  readonly context: CustomLaunchContext;
}

const WINDOW_SECONDS = 1_740;
/** The chain's clock may be behind this one. */
const CLOCKS_APART_SECONDS = 60;
/** A launch of the inventory recipe costs less by far on the development chains. */
const MAX_GAS_COST_WEI = 5n * 10n ** 16n;

/** Reads an answer of the gateway that needs no key. @throws TypeError naming route and status. */
export async function readPublished<T>(
  { gateway }: Pick<Stack, 'gateway'>,
  route: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const response = await fetch(`${gateway}${route}`);
  if (!response.ok)
    throw new TypeError(`GET ${route} answers ${response.status}: ${(await response.text()).slice(0, 500)}`);
  return schema.parse(await response.json());
}

/** A price that the feeds did not give once is read again after ten seconds. */
const READY_WITHIN_MS = 60_000;
const READY_EVERY_MS = 1_000;

/**
 * The checkpoint of a deployment that takes requests; one that does not at the moment is asked again.
 * @throws TypeError naming why it takes none.
 */
async function readyCheckpoint(stack: Pick<Stack, 'gateway'>): Promise<CustomLaunchPackConfig['checkpoint']> {
  for (const until = Date.now() + READY_WITHIN_MS; ; await sleep(READY_EVERY_MS)) {
    const { checkpoint, reasonCodes } = await readPublished(
      stack,
      launchReportPath('readiness'),
      launchReadinessSchema,
    );
    if (checkpoint !== null && reasonCodes.length === 0) return checkpoint;
    if (Date.now() > until) throw new TypeError(`not ready: ${reasonCodes.join(', ')}`);
  }
}

/**
 * A config as a launcher writes it: context and checkpoint of the deployment's reports, the least buy that its quote
 * recommends, and the project of the published inventory case `atlas`. Under profile 4.0 there is no buy.
 * @param bundles folder of the published files.
 * @param windowSeconds how long the permit may be used, from now.
 */
export async function configOnStack(
  stack: Stack,
  bundles: string,
  windowSeconds: number = WINDOW_SECONDS,
): Promise<InventoryConfig & { readonly config: CustomLaunchPackConfig }> {
  if (stack.controller === null) throw new TypeError('this stack has no controller of its own');
  const launchWallet = stack.controller.address as CustomLaunchPackConfig['launchWallet'];
  const checkpoint = await readyCheckpoint(stack);
  const published = (await readPublished(stack, launchReportPath('capabilities'), launchCapabilitiesSchema)).context;
  if (published === null) throw new TypeError('the deployment has no custom-launch context');
  const context = customLaunchContextSchema.parse(published.document);
  const buy =
    profileVersionOf(context) === '4.0'
      ? { initialBuyWei: '0', minimumTokensOut: '0' }
      : { initialBuyWei: await recommendedBuy(stack), minimumTokensOut: '1' };
  const config = await inventoryConfig(bundles, { launchWallet, checkpoint, buy }, windowSeconds);
  return { context, config: { ...config, contextHash: published.contextHash } };
}

/**
 * The same for any deployment: what it says of itself and a purchase are the caller's.
 * @param bundles folder of the published files.
 */
export async function inventoryConfig(
  bundles: string,
  { launchWallet, checkpoint, buy }: Pick<CustomLaunchPackConfig, 'launchWallet' | 'checkpoint' | 'buy'>,
  windowSeconds: number = WINDOW_SECONDS,
): Promise<InventoryConfig['config']> {
  const { atlas } = inventoryProjectsSchema.parse(
    JSON.parse(await readFile(path.join(bundles, 'inventory-projects.json'), 'utf8')),
  ).cases;
  const { inventoryRaw, tickLower, tickUpper, creatorBuyFeeBps, creatorSellFeeBps } = atlas.parameters;
  const now = Math.floor(Date.now() / 1000);
  return {
    schemaVersion: CUSTOM_LAUNCH_PACK_CONFIG_SCHEMA,
    checkpoint,
    launchWallet,
    nonce: BigInt(`0x${randomBytes(16).toString('hex')}`).toString(),
    permitWindow: { validAfter: String(now - CLOCKS_APART_SECONDS), deadline: String(now + windowSeconds) },
    project: atlas.project,
    publicOrigin: atlas.publicOrigin,
    liquidity: { inventoryRaw, tickLower, tickUpper },
    creator: { buyFeeBps: creatorBuyFeeBps, sellFeeBps: creatorSellFeeBps, recipient: launchWallet },
    buy,
    budgets: { maxLaunchValueWei: buy.initialBuyWei, maxGasCostWei: String(MAX_GAS_COST_WEI) },
  };
}

const recommendedBuy = async (stack: Stack): Promise<string> =>
  (await readPublished(stack, INITIAL_BUY_QUOTE_PATH, initialBuyQuoteSchema)).recommendedInitialBuyWei;

/** Packs a custom launch of the stack's controller, offline but for what the config names. */
export async function packOnStack(stack: Stack, bundles: string): Promise<PackedOnStack> {
  const { config, context } = await configOnStack(stack, bundles);
  return { config, context, ...(await packCustomLaunch(config, context, await inventoryMaterial())) };
}

export interface PlanOnStack {
  readonly mode: PlanMode;
  /** The plan that it takes the place of. */
  readonly predecessor?: { readonly planId: string; readonly planDigest: Sha256Digest };
  /** From now; absent: as of every launch. */
  readonly windowSeconds?: number;
}

/** Packs the same as a plan. */
export async function packPlanOnStack(
  stack: Stack,
  bundles: string,
  { mode, predecessor, windowSeconds }: PlanOnStack,
): Promise<PackedPlan> {
  const { config, context } = await configOnStack(stack, bundles, windowSeconds);
  return packPlan(config, context, await inventoryMaterial(), { mode, predecessor: predecessor ?? null });
}
