import { createKeccak } from 'hash-wasm';
import { HOOK_FLAG_MASK, type Hex } from '@launch/evm';
import { bytesToHex, hexToBytes, keccak256, numberToHex } from 'viem/utils';

/** A million tries miss a 14-bit target with a chance of e^-64: a bound that only a fault reaches. */
export const DEFAULT_MAX_ATTEMPTS = 1 << 20;
const PROGRESS_EVERY = 1 << 16;

export interface MiningTask {
  readonly router: Hex;
  readonly controller: Hex;
  readonly nonce: bigint;
  readonly initCodeHash: Hex;
  /** The 14 permission bits that the hook's address must have. */
  readonly hookFlags: number;
  readonly maxAttempts: number;
  readonly onProgress?: (attempts: number) => void;
}

/** A salt and how many were tried; null when the bound was reached. */
export type MinedSalt = { readonly salt: Hex; readonly attempts: number } | null;

/**
 * Finds a CREATE2 salt whose address carries exactly the hook's permission bits. The first 20 bytes are the
 * controller; of the 12 free ones 8 come from the launch nonce, so that the same project launched again does
 * not meet its own address, and 4 count up. The same task always gives the same salt.
 */
export async function mineSalt(task: MiningTask): Promise<MinedSalt> {
  const preimage = new Uint8Array(85);
  preimage[0] = 0xff;
  preimage.set(hexToBytes(task.router), 1);
  preimage.set(hexToBytes(task.controller), 21);
  preimage.set(hexToBytes(keccak256(numberToHex(task.nonce, { size: 32 }))).subarray(0, 8), 41);
  preimage.set(hexToBytes(task.initCodeHash), 53);
  const counter = new DataView(preimage.buffer);
  const hasher = await createKeccak(256);
  for (let attempt = 0; attempt < task.maxAttempts; attempt += 1) {
    counter.setUint32(49, attempt);
    const digest = hasher.init().update(preimage).digest('binary');
    if ((((digest[30]! << 8) | digest[31]!) & HOOK_FLAG_MASK) === task.hookFlags) {
      return { salt: bytesToHex(preimage.subarray(21, 53)), attempts: attempt + 1 };
    }
    if ((attempt + 1) % PROGRESS_EVERY === 0) task.onProgress?.(attempt + 1);
  }
  return null;
}
