import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { PLAN_PATHS } from '@launch/contracts/plans';
import { CHAIN_BASE_PATH, CHAIN_ID } from '@launch/contracts/primitives';
import { packOnStack, packPlanOnStack } from '@launch/start';
import type { BenchStack } from './bench-stack.js';

const BUNDLES = fileURLToPath(new URL('../../../../clients/multi-role/bundles', import.meta.url));

export const CUSTOM_LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
export const PLANS = PLAN_PATHS.create.replace('{chainId}', String(CHAIN_ID));

/** A custom-launch request of the published inventory project, for the stack's controller. */
export const packedLaunch = async ({ running }: BenchStack): Promise<Uint8Array> =>
  (await packOnStack(running.stack, BUNDLES)).bytes;

/** The same as a sequential plan. */
export const packedPlan = async ({ running }: BenchStack): Promise<Uint8Array> =>
  (await packPlanOnStack(running.stack, BUNDLES, { mode: 'sequential' })).bytes;

/**
 * The bytes of many requests that differ in their nonce alone. White space after the body, which custom-launch requests
 * and plans may have, makes each so long.
 * @param length bytes; as it comes when absent.
 */
export function renoncedText(bytes: Uint8Array, count: number, length = 0): Uint8Array[] {
  const text = Buffer.from(bytes).toString('utf8');
  return Array.from({ length: count }, () => {
    const nonce = BigInt(`0x${randomBytes(16).toString('hex')}`);
    const other = Buffer.from(text.replace(/"nonce":"\d+"/, `"nonce":"${nonce}"`));
    return Buffer.concat([other, Buffer.alloc(Math.max(0, length - other.byteLength), ' ')]);
  });
}
