import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { HOOK_FLAG_MASK, type Hex } from '@launch/evm';
import { hexToBytes } from 'viem/utils';
import {
  BLOCK_BYTES,
  keccakMiner,
  MASK_AT,
  MEMORY_BYTES,
  NOT_FOUND,
  WANTED_AT,
  type KeccakMiner,
} from '../mining/keccak-miner.wasm.js';
import { launchSalt } from './launch-salt.js';

/** A million tries miss a 14-bit target with a chance of e^-64: a bound that only a fault reaches. */
export const DEFAULT_MAX_ATTEMPTS = 1 << 20;
/** Only a machine that has all but stopped takes so long for so many tries. */
const DEFAULT_MAX_MILLISECONDS = 60_000;
/** What this thread tries before it starts others: 98 of 100 launches find their salt among them, sooner than a thread starts. */
const ALONE_TRIES = 1 << 16;
/** Tries of one call here: the runtime puts fast code in the place of its first one between calls only. */
const CALL_TRIES = 1 << 8;
/** Tries of one thread between two looks at what the others found: some milliseconds. */
const BLOCK_TRIES = 1 << 13;
const PROGRESS_EVERY = 1 << 16;
const PREIMAGE_BYTES = 85;

export interface MiningTask {
  readonly router: Hex;
  readonly controller: Hex;
  readonly nonce: bigint;
  readonly initCodeHash: Hex;
  /** The 14 permission bits that the hook's address must have. */
  readonly hookFlags: number;
  /** Below 2^32. */
  readonly maxAttempts: number;
  /** A minute unless given. */
  readonly maxMilliseconds?: number;
  readonly onProgress?: (attempts: number) => void;
}

/** A salt and how many were tried before it and with it; null when a bound was reached. */
export type MinedSalt = { readonly salt: Hex; readonly attempts: number } | null;

/** All a thread does: it is given as text, so that bundles, sources and tests run the very same one. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { memory, mine } = new WebAssembly.Instance(workerData.module).exports;
new Uint8Array(memory.buffer).set(workerData.memory);
parentPort.on('message', ({ from, to }) => parentPort.postMessage(mine(from, to) >>> 0));
`;

/** The miner's memory: 0xff, router, salt and code hash, padded as keccak pads, and the address bits that are wanted. */
function miningMemory({ router, controller, nonce, initCodeHash, hookFlags }: MiningTask): Uint8Array {
  const memory = new Uint8Array(MEMORY_BYTES);
  memory[0] = 0xff;
  memory.set(hexToBytes(router), 1);
  memory.set(hexToBytes(launchSalt(controller, nonce, 0)), 21);
  memory.set(hexToBytes(initCodeHash), 53);
  memory[PREIMAGE_BYTES] = 0x01;
  memory[BLOCK_BYTES - 1] = 0x80;
  // An address ends in big-endian bits, a lane in little-endian bytes.
  const view = new DataView(memory.buffer);
  view.setUint16(WANTED_AT, hookFlags, false);
  view.setUint16(MASK_AT, HOOK_FLAG_MASK, false);
  return memory;
}

/**
 * Finds the CREATE2 salt with the lowest counter whose address carries exactly the hook's permission bits. It begins on
 * this thread and goes on, after a moment, on all cores. The same task always gives the same salt, on however many
 * cores; the bound on time can only end it without one.
 */
export async function mineSalt(task: MiningTask): Promise<MinedSalt> {
  const memory = miningMemory(task);
  const { module, mine } = keccakMiner(memory);
  const alone = Math.min(ALONE_TRIES, task.maxAttempts);
  let lowest = mineHere(mine, alone);
  if (lowest === NOT_FOUND && alone < task.maxAttempts) {
    task.onProgress?.(alone);
    lowest = await mineOnAllCores(task, alone, { module, memory });
  }
  return lowest === NOT_FOUND ? null : { salt: launchSalt(task.controller, task.nonce, lowest), attempts: lowest + 1 };
}

function mineHere(mine: KeccakMiner['mine'], to: number): number {
  for (let from = 0; from < to; from += CALL_TRIES) {
    const found = mine(from, Math.min(from + CALL_TRIES, to));
    if (found !== NOT_FOUND) return found;
  }
  return NOT_FOUND;
}

/** The lowest counter from `start` on that fits, or `NOT_FOUND`. Leaves no thread behind, however it ends. */
async function mineOnAllCores(
  task: MiningTask,
  start: number,
  workerData: { readonly module: object; readonly memory: Uint8Array },
): Promise<number> {
  const { maxAttempts, maxMilliseconds = DEFAULT_MAX_MILLISECONDS } = task;
  const timeUp = AbortSignal.timeout(maxMilliseconds);
  const threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(THREAD, { eval: true, workerData, env: {}, execArgv: [] }),
  );
  let next = start;
  let tried = start;
  let lowest = NOT_FOUND;
  const mineOn = async (thread: Worker): Promise<void> => {
    // Blocks are handed out in order, so once one fits only those before it still matter.
    while (next < maxAttempts && next < lowest) {
      const from = next;
      const to = Math.min(from + BLOCK_TRIES, maxAttempts);
      next = to;
      thread.postMessage({ from, to });
      const [found] = (await once(thread, 'message', { signal: timeUp })) as [number];
      lowest = Math.min(lowest, found);
      const before = tried;
      tried += to - from;
      if (found === NOT_FOUND && Math.floor(before / PROGRESS_EVERY) < Math.floor(tried / PROGRESS_EVERY))
        task.onProgress?.(tried);
    }
  };
  try {
    await Promise.all(threads.map(mineOn));
    return lowest;
  } catch (error) {
    // The salt found so far may not be the lowest.
    if (timeUp.aborted) return NOT_FOUND;
    throw error;
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
