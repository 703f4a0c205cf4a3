import {
  type CustomLaunchPackConfig,
  type CustomLaunchPackReport,
  customLaunchRequestSchema,
} from '@launch/contracts/custom-launch';
import { type CustomLaunchContext, profileVersionOf } from '@launch/contracts/launch';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { PLAN_REQUEST_SCHEMA, planRequestSchema, type PlanRequest } from '@launch/contracts/plans';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { launchV1Commitments, planStepsOf } from '@launch/evm';
import type { InventoryMaterial } from '../inventory/inventory-material.js';
import { PackError } from '../offline/pack.error.js';
import { PACK_CONFIG_INVALID, packCustomLaunch } from './pack-custom-launch.js';

/** The mode of a plan, and the plan that it replaces. */
export type PlanChoice = Pick<PlanRequest, 'mode' | 'predecessor'>;

/** The packing report of a plan. Packed canonically, its digest is the plan's. */
export interface PlanPackReport extends Omit<CustomLaunchPackReport, 'schemaVersion'> {
  readonly schemaVersion: 'service.custom-launch-plan-pack-report.v1';
  readonly mode: PlanRequest['mode'];
  /** In the order in which the controller signs. */
  readonly stepIds: readonly string[];
}

export interface PackedPlan {
  readonly bytes: Uint8Array;
  readonly report: PlanPackReport;
}

/**
 * Packs the launch that `packCustomLaunch` makes of a config as a plan. @throws {PackError} as `packCustomLaunch`, and under
 * profile 4.0, which has no plans.
 */
export async function packPlan(
  config: CustomLaunchPackConfig,
  context: CustomLaunchContext,
  material: InventoryMaterial,
  choice: PlanChoice,
  onProgress?: (attempts: number) => void,
): Promise<PackedPlan> {
  if (profileVersionOf(context) === '4.0')
    throw new PackError(PACK_CONFIG_INVALID, [
      { path: '/contextHash', message: 'is of a context of profile 4.0, which has no plans: pack a custom launch' },
    ]);
  const packed = await packCustomLaunch(config, context, material, onProgress);
  const { moduleSelections: _none, ...request } = customLaunchRequestSchema.parse(parseStrictJson(packed.bytes));
  const { mode, predecessor } = choice;
  const plan = planRequestSchema.parse({ ...request, schemaVersion: PLAN_REQUEST_SCHEMA, mode, predecessor });
  const bytes = canonicalizeJson(plan);
  const requestSha256 = sha256Digest(bytes);
  const { artifactHash, onchainLaunchId } = launchV1Commitments(plan, context);
  return {
    bytes,
    report: {
      ...packed.report,
      schemaVersion: 'service.custom-launch-plan-pack-report.v1',
      requestSha256,
      requestHash: keccak256Hex(bytes),
      artifactHash,
      onchainLaunchId,
      byteLength: bytes.length,
      idempotencyKey: `plan-v1-${requestSha256.slice('sha256:'.length)}`,
      mode,
      stepIds: planStepsOf(plan).map(({ stepId }) => stepId),
    },
  };
}
