import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getContractAddress } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { MAX_CHILD_NONCE, childAddress, childNonce, predictedAddress, saltIsControllers } from './contract-address.js';
import {
  HOOK_FLAGS,
  HOOK_FLAG_MASK,
  NATIVE_FEE_HOOK_FLAGS,
  compareHookFlags,
  hookFlagNames,
  hookFlagsOf,
  type HookFlag,
} from './hook-flags.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const ZERO_SALT: Hex = `0x${'00'.repeat(32)}`;
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const code = (text: string): unknown => expect.objectContaining({ code: text });

describe('predictedAddress', () => {
  it.each([
    ['0x0000000000000000000000000000000000000000', ZERO_SALT, '0x00', '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
    ['0xdeadbeef00000000000000000000000000000000', ZERO_SALT, '0x00', '0xb928f69bb1d91cd65274e3c79d8986362984fda3'],
    [
      '0xdeadbeef00000000000000000000000000000000',
      '0x000000000000000000000000feed000000000000000000000000000000000000',
      '0x00',
      '0xd04116cdd17bebe565eb2422f2497e06cc1c9833',
    ],
    [
      '0x0000000000000000000000000000000000000000',
      ZERO_SALT,
      '0xdeadbeef',
      '0x70f2b2914a2a4b783faefb75f459a580616fcb5e',
    ],
    [
      '0x00000000000000000000000000000000deadbeef',
      '0x00000000000000000000000000000000000000000000000000000000cafebabe',
      '0xdeadbeef',
      '0x60f3f640a8508fc6a86d45df051962668e1e8ac7',
    ],
    ['0x0000000000000000000000000000000000000000', ZERO_SALT, '0x', '0xe33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
  ] as [Hex, Hex, Hex, Hex][])('reproduces the example of EIP-1014: %s %s %s', (deployer, salt, initCode, expected) => {
    expect(predictedAddress({ deployer, salt, initCode })).toBe(expected);
  });

  it('refuses malformed addresses, salts and code', () => {
    const good = { deployer: `0x${'11'.repeat(20)}` as Hex, salt: ZERO_SALT, initCode: '0x00' as Hex };
    expect(() => predictedAddress({ ...good, deployer: '0x11' })).toThrow(code('ADDRESS_INVALID') as Error);
    expect(() => predictedAddress({ ...good, salt: '0x00' })).toThrow(code('HEX_INVALID') as Error);
    expect(() => predictedAddress({ ...good, initCode: '0x0' })).toThrow(code('HEX_INVALID') as Error);
  });
});

describe('A child of a constructor', () => {
  const parent: Hex = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0';

  it.each([
    [1n, '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8'],
    [2n, '0xf778b86fa74e846c4f0a1fbd1335fe81c00a0c91'],
    [3n, '0xfffd933a0bc612844eaf0c6fe3e5b8e9b6c1d19c'],
  ])('has the expected address at nonce %i', (nonce, expected) => expect(childAddress(parent, nonce)).toBe(expected));

  it('has the address of another implementation at every nonce', () => {
    fc.assert(
      fc.property(address, fc.bigInt({ min: 1n, max: 2n ** 64n - 2n }), (from, nonce) => {
        expect(childAddress(from, nonce)).toBe(getContractAddress({ from, nonce }).toLowerCase());
      }),
      { verbose: 1, numRuns: 100 * FUZZ_FACTOR },
    );
    for (const nonce of [1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 0x10000n, 2n ** 64n - 2n]) {
      expect(childAddress(parent, nonce)).toBe(getContractAddress({ from: parent, nonce }).toLowerCase());
    }
  });

  it('starts at nonce 1', () => {
    expect(() => childAddress(parent, 0n)).toThrow(code('NONCE_OUT_OF_RANGE') as Error);
    expect(() => childAddress(parent, 2n ** 64n - 1n)).toThrow(code('NONCE_OUT_OF_RANGE') as Error);
  });

  it('is found by its parent within bounds', () => {
    expect(childNonce(parent, childAddress(parent, 1n))).toBe(1);
    expect(childNonce(parent, childAddress(parent, BigInt(MAX_CHILD_NONCE)))).toBe(MAX_CHILD_NONCE);
    expect(childNonce(parent, childAddress(parent, BigInt(MAX_CHILD_NONCE) + 1n))).toBeNull();
    expect(childNonce(parent, parent)).toBeNull();
  });
});

describe('A salt', () => {
  const controller: Hex = '0xabcdef0123456789abcdef0123456789abcdef01';
  it.each([
    ['the controller first', `${controller}${'00'.repeat(12)}`, true],
    ['in another case', `0x${controller.slice(2).toUpperCase()}${'ff'.repeat(12)}`, true],
    ['the controller last', `0x${'00'.repeat(12)}${controller.slice(2)}`, false],
    ['one bit off', `0xabcdef0123456789abcdef0123456789abcdef00${'00'.repeat(12)}`, false],
    ['too short', controller, false],
    ['not hex', `${controller}${'zz'.repeat(12)}`, false],
  ])('binds the controller by its first bytes only: %s', (_name, salt, expected) =>
    expect(saltIsControllers(salt as Hex, controller)).toBe(expected),
  );
});

describe('The hook flags', () => {
  it('are the 14 lowest bits of the address', () => {
    expect(Object.values(HOOK_FLAGS).reduce((sum, flag) => sum | flag, 0)).toBe(HOOK_FLAG_MASK);
    expect(new Set(Object.values(HOOK_FLAGS)).size).toBe(14);
    expect(hookFlagsOf('0xffffffffffffffffffffffffffffffffffffffff')).toBe(0x3fff);
    expect(hookFlagsOf('0xffffffffffffffffffffffffffffffffffffc000')).toBe(0);
  });

  it('are 0x2acc for the native-fee kernel', () => {
    expect(NATIVE_FEE_HOOK_FLAGS).toBe(0x2acc);
    expect(hookFlagNames(0x2acc)).toEqual([
      'beforeInitialize',
      'beforeAddLiquidity',
      'beforeRemoveLiquidity',
      'beforeSwap',
      'afterSwap',
      'beforeSwapReturnDelta',
      'afterSwapReturnDelta',
    ]);
  });

  it('must equal the callbacks that the code implements', () => {
    const kernel = hookFlagNames(NATIVE_FEE_HOOK_FLAGS);
    const at = (flags: number): Hex => `0x${'11'.repeat(18)}${flags.toString(16).padStart(4, '0')}`;
    expect(compareHookFlags(at(0x2acc), kernel)).toEqual([]);
    expect(compareHookFlags(at(0xeacc), kernel)).toEqual([]);
    expect(compareHookFlags(at(0x2acd), kernel)).toEqual([
      { code: 'HOOK_FLAG_WITHOUT_CALLBACK', flag: 'afterRemoveLiquidityReturnDelta' },
      { code: 'HOOK_DELTA_WITHOUT_CALLBACK', flag: 'afterRemoveLiquidityReturnDelta' },
    ]);
    expect(compareHookFlags(at(0x0acc), kernel)).toEqual([
      { code: 'HOOK_CALLBACK_WITHOUT_FLAG', flag: 'beforeInitialize' },
    ]);
    for (const flag of Object.keys(HOOK_FLAGS) as HookFlag[]) {
      expect(compareHookFlags(at(0x2acc ^ HOOK_FLAGS[flag]), kernel)).toContainEqual(expect.objectContaining({ flag }));
    }
  });
});
