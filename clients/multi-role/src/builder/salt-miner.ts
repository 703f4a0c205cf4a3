import { HOOK_FLAG_MASK, type Hex } from '@launch/evm';
import { createKeccak } from 'hash-wasm';
import { concatHex, hexToBytes } from 'viem/utils';
import { launchSalt } from './launch-salt.js';

/** A million tries miss a 14-bit target with a chance of e^-64: only a fault reaches this bound. */
export const DEFAULT_MAX_ATTEMPTS = 1 << 20;
/** A minute covers a hundred times the default number of tries on one core. */
const DEFAULT_MAX_MILLISECONDS = 60_000;
/** The tries between two turns of the event loop: about ten milliseconds, so that signals and timers are served. */
const TURN_TRIES = 1 << 13;
const PROGRESS_EVERY = 1 << 16;
/** Offset of the salt's last four bytes in the 85 bytes that CREATE2 hashes: 0xff, deployer, salt, code hash. */
const COUNTER_AT = 49;

export interface MiningTask {
  readonly router: Hex;
  readonly controller: Hex;
  readonly nonce: bigint;
  readonly initCodeHash: Hex;
  /** The 14 permission bits that the hook's address must have. */
  readonly hookFlags: number;
  /** Below 2^32. */
  readonly maxAttempts: number;
  /** One minute by default. */
  readonly maxMilliseconds?: number;
  readonly onProgress?: (attempts: number) => void;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A salt and the number of counters tried up to and including it; null when the search reached a bound. */
export type MinedSalt = { readonly salt: Hex; readonly attempts: number } | null;

/**
 * Finds the CREATE2 salt with the lowest counter whose address carries exactly the hook's permission bits. The same task
 * always yields the same salt: the time bound can only end the search without one.
 */
export async function mineSalt(task: MiningTask): Promise<MinedSalt> {
  const { router, controller, nonce, initCodeHash, hookFlags, maxAttempts } = task;
  const until = performance.now() + (task.maxMilliseconds ?? DEFAULT_MAX_MILLISECONDS);
  const keccak = await createKeccak(256);
  const preimage = hexToBytes(concatHex(['0xff', router, launchSalt(controller, nonce, 0), initCodeHash]));
  const view = new DataView(preimage.buffer);
  for (let counter = 0; counter < maxAttempts; counter += 1) {
    if (counter > 0 && counter % TURN_TRIES === 0) {
      if (performance.now() > until) return null;
      if (counter % PROGRESS_EVERY === 0) task.onProgress?.(counter);
      await nextTurn();
    }
    view.setUint32(COUNTER_AT, counter);
    const digest = keccak.init().update(preimage).digest('binary');
    // An address is the digest's last 20 bytes, and the hook's permission bits are its lowest 14 bits.
    const flags = (((digest[30] as number) << 8) | (digest[31] as number)) & HOOK_FLAG_MASK;
    if (flags === hookFlags) return { salt: launchSalt(controller, nonce, counter), attempts: counter + 1 };
  }
  return null;
}
