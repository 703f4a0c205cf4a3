import { describe, expect, it, jest } from '@jest/globals';
import { HOOK_FLAG_MASK, saltIsControllers, type Hex } from '@launch/evm';
import { randomInt } from 'node:crypto';
import { bytesToHex, getCreate2Address, keccak256 } from 'viem/utils';
import { launchSalt } from './launch-salt.js';
import { mineSalt, type MiningTask } from './salt-miner.js';

// A busy machine mines slowly; no test here asserts a duration.
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
/** Computes the address with viem, independently of the miner's own preimage. */
const flagsAt = ({ router, controller, nonce, initCodeHash }: MiningTask, counter: number): number =>
  flagsOf(
    getCreate2Address({ from: router, salt: launchSalt(controller, nonce, counter), bytecodeHash: initCodeHash }),
  );

/** Returns the lowest counter whose address fits, computed with viem. */
function lowestOf(wanted: MiningTask, below: number): number {
  for (let counter = 0; counter < below; counter += 1)
    if (flagsAt(wanted, counter) === wanted.hookFlags) return counter;
  return below;
}

/** No address has a bit above the fourteen, so the miner uses all its attempts. */
const IMPOSSIBLE_FLAGS = HOOK_FLAG_MASK + 1;

describe('salt mining', () => {
  it.each(['a', 'b', 'c'])(
    `finds the lowest counter with the wanted bits: ${'%s'} (TEST_SEED=${seed})`,
    async (name) => {
      const wanted = task(name);
      const mined = await mineSalt(wanted);
      const counter = lowestOf(wanted, 1 << 20);
      expect(mined).toEqual({ salt: launchSalt(wanted.controller, wanted.nonce, counter), attempts: counter + 1 });
      expect(saltIsControllers(mined!.salt, wanted.controller)).toBe(true);
    },
  );

  it(`leads to the address that viem derives, for any router, controller, nonce, code and flags (TEST_SEED=${seed})`, async () => {
    for (let index = 0; index < 50; index += 1) {
      const wanted = task(`any ${index}`);
      const mined = await mineSalt(wanted);
      expect(flagsAt(wanted, mined!.attempts - 1)).toBe(wanted.hookFlags);
      expect(mined!.salt).toBe(launchSalt(wanted.controller, wanted.nonce, mined!.attempts - 1));
    }
  });

  it(`stops at its bound exactly and reports its progress (TEST_SEED=${seed})`, async () => {
    const wanted = task('bound');
    const mined = await mineSalt(wanted);
    expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts })).toEqual(mined);
    if (mined!.attempts > 1) expect(await mineSalt({ ...wanted, maxAttempts: mined!.attempts - 1 })).toBeNull();

    const seen: number[] = [];
    const impossible = task('impossible', {
      hookFlags: IMPOSSIBLE_FLAGS,
      maxAttempts: 200_001,
      onProgress: (attempts) => seen.push(attempts),
    });
    expect(await mineSalt(impossible)).toBeNull();
    expect(seen).toEqual([1 << 16, 2 << 16, 3 << 16]);
  });

  it('is bounded in time', async () => {
    const endless = task('endless', { hookFlags: IMPOSSIBLE_FLAGS, maxAttempts: 2 ** 32 - 1, maxMilliseconds: 50 });
    expect(await mineSalt(endless)).toBeNull();
  });

  it('rejects with the error of its observer', async () => {
    const watched = task('watched', {
      hookFlags: IMPOSSIBLE_FLAGS,
      maxAttempts: 2 ** 32 - 1,
      onProgress: () => {
        throw new Error('the terminal is gone');
      },
    });
    await expect(mineSalt(watched)).rejects.toThrow('the terminal is gone');
  });
});
