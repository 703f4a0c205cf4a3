import { describe, expect, it, jest } from '@jest/globals';
import { HOOK_FLAG_MASK, hookFlagsOf, predictedAddress, saltIsControllers, type Hex } from '@launch/evm';
import { randomBytes } from 'node:crypto';
import { bytesToHex, keccak256 } from 'viem/utils';
import { keccakMinerModule, NOT_FOUND } from '../mining/keccak-miner.wasm.js';
import { launchSalt } from './launch-salt.js';
import { mineSalt, type MiningTask } from './salt-miner.js';

// Threads on a busy machine start late; no test here asserts a duration.
jest.setTimeout(60_000);

const seed = process.env['SEED'] ?? randomBytes(8).toString('hex');
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

const addressAt = ({ router, controller, nonce, initCodeHash }: MiningTask, counter: number): Hex =>
  predictedAddress({ deployer: router, salt: launchSalt(controller, nonce, counter), initCodeHash });

describe('salt mining', () => {
  it.each(['a', 'b', 'c'])(`finds the lowest counter with the wanted bits, as another keccak finds it: ${'%s'} (SEED=${seed})`, async (name) => {
    const wanted = task(name);
    const mined = await mineSalt(wanted);
    if (mined === null) throw new Error('no salt in a million tries');
    let counter = 0;
    while (hookFlagsOf(addressAt(wanted, counter)) !== wanted.hookFlags) counter += 1;
    expect(mined).toEqual({ salt: launchSalt(wanted.controller, wanted.nonce, counter), attempts: counter + 1 });
    expect(saltIsControllers(mined.salt, wanted.controller)).toBe(true);
    expect(await mineSalt(wanted)).toEqual(mined);
  });

  it(`is bounded, and says how far it has come (SEED=${seed})`, async () => {
    const seen: number[] = [];
    // No address has a bit above the fourteen.
    const impossible = task('impossible', { hookFlags: HOOK_FLAG_MASK + 1, maxAttempts: 200_001, onProgress: (attempts) => seen.push(attempts) });
    expect(await mineSalt(impossible)).toBeNull();
    expect(seen.length).toBe(3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBeLessThanOrEqual(200_001);
  });

  it('stops at its bound exactly', async () => {
    const wanted = task('bound');
    const mined = await mineSalt(wanted);
    expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts })).toEqual(mined);
    expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts - 1 })).toBeNull();
  });
});

describe('the mining module', () => {
  interface Exports { readonly memory: { readonly buffer: ArrayBuffer }; readonly mine: (from: number, to: number) => number }
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object; Instance: new (module: object) => { exports: Exports } } };

  it(`hashes as keccak-256 does, at every counter byte (SEED=${seed})`, () => {
    const { memory, mine } = new WebAssembly.Instance(new WebAssembly.Module(keccakMinerModule())).exports;
    const block = new Uint8Array(memory.buffer, 0, 256);
    for (const [index, counter] of [0, 1, 0xff, 0x100, 0xff00, 0x10000, 0xff0000, 0x1000000, 0x7fffffff, 0x80000000, 0xfffffffe].entries()) {
      const preimage = Buffer.concat([0, 1, 2].map((part) => Buffer.from(word(`${index}.${part}`).slice(2), 'hex'))).subarray(0, 85);
      preimage.writeUInt32BE(counter, 49);
      const digest = Buffer.from(keccak256(preimage).slice(2), 'hex');
      block.fill(0);
      block.set(preimage);
      block.fill(0, 49, 53);
      block[85] = 0x01;
      block[135] = 0x80;
      block.set(digest.subarray(30), 136);
      block.fill(0xff, 144, 146);
      expect(mine(counter, counter + 1) >>> 0).toBe(counter);
      block[136]! ^= 1;
      expect(mine(counter, counter + 1) >>> 0).toBe(NOT_FOUND);
    }
  });
});
