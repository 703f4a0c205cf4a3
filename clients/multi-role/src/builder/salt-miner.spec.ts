import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HOOK_FLAG_MASK, saltIsControllers, type Hex } from '@launch/evm';
import { createKeccak } from 'hash-wasm';
import { randomInt } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { bytesToHex, concatHex, getCreate2Address, hexToBytes, keccak256 } from 'viem/utils';
import { keccakMiner, MEMORY_BYTES, NOT_FOUND } from '../mining/keccak-miner.wasm.js';
import { launchSalt } from './launch-salt.js';
import { mineSalt, type MiningTask } from './salt-miner.js';

// Threads on a busy machine start late; no test here asserts a duration.
jest.setTimeout(180_000);

const seed = process.env['TEST_SEED'] ?? String(randomInt(2 ** 31));
const word = (name: string): Hex => keccak256(bytesToHex(Buffer.from(`${seed}/${name}`)));
const address = (name: string): Hex => `0x${word(name).slice(26)}`;

const task = (name: string, more: Partial<MiningTask> = {}): MiningTask => ({
  router: address(`${name} router`),
  controller: address(`${name} controller`),
  nonce: BigInt(word(`${name} nonce`)),
  initCodeHash: word(`${name} code`),
  hookFlags: Number(BigInt(word(`${name} flags`)) & 0x3fffn),
  maxAttempts: 1 << 20,
  ...more,
});

const flagsOf = (address: Hex): number => Number(BigInt(address) & BigInt(HOOK_FLAG_MASK));
/** Another's word for where a salt leads. */
const flagsAt = ({ router, controller, nonce, initCodeHash }: MiningTask, counter: number): number =>
  flagsOf(
    getCreate2Address({ from: router, salt: launchSalt(controller, nonce, counter), bytecodeHash: initCodeHash }),
  );

/** The lowest counter of [0, below) that fits, by another keccak; `below` if none does. */
async function lowestOf(wanted: MiningTask, below: number): Promise<number> {
  const keccak = await createKeccak(256);
  const preimage = hexToBytes(
    concatHex(['0xff', wanted.router, launchSalt(wanted.controller, wanted.nonce, 0), wanted.initCodeHash]),
  );
  const view = new DataView(preimage.buffer);
  for (let counter = 0; counter < below; counter += 1) {
    view.setUint32(49, counter);
    const digest = keccak.init().update(preimage).digest('binary');
    if ((((digest[30]! << 8) | digest[31]!) & HOOK_FLAG_MASK) === wanted.hookFlags) return counter;
  }
  return below;
}

/** A task that one thread gives up on: its lowest counter lies beyond what is tried before others are started. */
async function taskForThreads(name: string): Promise<MiningTask> {
  for (let index = 0; ; index += 1) {
    const candidate = task(`${name} ${index}`);
    if ((await mineSalt({ ...candidate, maxAttempts: 1 << 16 })) === null) return candidate;
  }
}

const threads: Worker[] = [];
const remember = (message: unknown): void => void threads.push((message as { readonly worker: Worker }).worker);
beforeEach(() => {
  threads.length = 0;
  subscribe('worker_threads', remember);
});
afterEach(() => void unsubscribe('worker_threads', remember));

/** A thread that has ended has no id any more. */
function expectAllEnded(): void {
  expect(threads.length).toBe(availableParallelism());
  expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
}

// Flags of HOOK_FLAG_MASK + 1 are those of no address: every try is made.
describe('salt mining', () => {
  it.each(['a', 'b', 'c'])(
    `finds the lowest counter with the wanted bits, as another keccak finds it: ${'%s'} (TEST_SEED=${seed})`,
    async (name) => {
      const wanted = task(name);
      const mined = await mineSalt(wanted);
      const counter = await lowestOf(wanted, 1 << 20);
      expect(mined).toEqual({ salt: launchSalt(wanted.controller, wanted.nonce, counter), attempts: counter + 1 });
      expect(saltIsControllers(mined!.salt, wanted.controller)).toBe(true);
    },
  );

  it(`leads where viem's getCreate2Address says it does, for any router, controller, nonce, code and flags (TEST_SEED=${seed})`, async () => {
    for (let index = 0; index < 50; index += 1) {
      const wanted = task(`any ${index}`);
      const mined = await mineSalt(wanted);
      expect(flagsAt(wanted, mined!.attempts - 1)).toBe(wanted.hookFlags);
      expect(mined!.salt).toBe(launchSalt(wanted.controller, wanted.nonce, mined!.attempts - 1));
    }
  });

  it(`finds the lowest counter on all cores too, always the same (TEST_SEED=${seed})`, async () => {
    const wanted = await taskForThreads('threads');
    const counter = await lowestOf(wanted, 1 << 20);
    expect(counter).toBeGreaterThanOrEqual(1 << 16);
    expect(flagsAt(wanted, counter)).toBe(wanted.hookFlags);
    for (let again = 0; again < 3; again += 1) expect((await mineSalt(wanted))?.attempts).toBe(counter + 1);
    expect((await mineSalt({ ...wanted, maxAttempts: counter + 1 }))?.attempts).toBe(counter + 1);
    expect(await mineSalt({ ...wanted, maxAttempts: counter })).toBeNull();
  });

  it(`is bounded, and says how far it has come (TEST_SEED=${seed})`, async () => {
    const seen: number[] = [];
    const impossible = task('impossible', {
      hookFlags: HOOK_FLAG_MASK + 1,
      maxAttempts: 200_001,
      onProgress: (attempts) => seen.push(attempts),
    });
    expect(await mineSalt(impossible)).toBeNull();
    expect(seen.length).toBe(3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBeLessThanOrEqual(200_001);
  });

  it('is bounded in time too, and leaves no thread behind', async () => {
    const endless = task('endless', { hookFlags: HOOK_FLAG_MASK + 1, maxAttempts: 2 ** 32 - 1, maxMilliseconds: 50 });
    expect(await mineSalt(endless)).toBeNull();
    expectAllEnded();
  });

  it('ends its threads when whoever watches fails', async () => {
    const watched = task('watched', {
      hookFlags: HOOK_FLAG_MASK + 1,
      maxAttempts: 2 ** 32 - 1,
      onProgress: (attempts) => {
        if (attempts > 1 << 16) throw new Error('nobody is looking');
      },
    });
    await expect(mineSalt(watched)).rejects.toThrow('nobody is looking');
    expectAllEnded();
  });

  it('stops at its bound exactly', async () => {
    const wanted = task('bound');
    const mined = await mineSalt(wanted);
    expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts })).toEqual(mined);
    if (mined!.attempts > 1) expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts - 1 })).toBeNull();
  });
});

describe('the mining module', () => {
  it(`hashes as keccak-256 does, at every counter byte (TEST_SEED=${seed})`, () => {
    for (const [index, counter] of [
      0, 1, 0xff, 0x100, 0xff00, 0x10000, 0xff0000, 0x1000000, 0x7fffffff, 0x80000000, 0xfffffffe,
    ].entries()) {
      const preimage = Buffer.concat(
        [0, 1, 2].map((part) => Buffer.from(word(`${index}.${part}`).slice(2), 'hex')),
      ).subarray(0, 85);
      preimage.writeUInt32BE(counter, 49);
      const digest = Buffer.from(keccak256(preimage).slice(2), 'hex');
      const memory = new Uint8Array(MEMORY_BYTES);
      memory.set(preimage);
      memory.fill(0, 49, 53);
      memory[85] = 0x01;
      memory[135] = 0x80;
      memory.set(digest.subarray(30), 136);
      memory.fill(0xff, 144, 146);
      expect(keccakMiner(memory).mine(counter, counter + 1)).toBe(counter);
      memory[136]! ^= 1;
      expect(keccakMiner(memory).mine(counter, counter + 1)).toBe(NOT_FOUND);
    }
  });
});
