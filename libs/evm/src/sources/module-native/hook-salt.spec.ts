import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, getCreate2Address, keccak256, type Hex } from 'viem';
import { HOOK_FLAG_MASK, NATIVE_FEE_HOOK_FLAGS } from '../../create2/hook-flags.js';
import { nativeHookSalt } from './hook-salt.js';

const launcher: Hex = `0x${'a1'.repeat(20)}`;
const launchWallet: Hex = `0x${'b2'.repeat(20)}`;
const hookInitCodeHash: Hex = `0x${'c3'.repeat(32)}`;

/** Computes the flags like the launcher, with another library. */
function flagsOf(salt: bigint): number {
  const word: Hex = `0x${salt.toString(16).padStart(64, '0')}`;
  const key = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [launchWallet, word]));
  const hook = getCreate2Address({ from: launcher, salt: key, bytecodeHash: hookInitCodeHash });
  return Number(BigInt(hook) & BigInt(HOOK_FLAG_MASK));
}

describe('nativeHookSalt', () => {
  it.each([0xfffen, 0x1234n << 200n])(
    'finds the first salt from %s on that gives the hook the fee kernel’s permissions',
    (from) => {
      const found = BigInt(nativeHookSalt({ launcher, launchWallet, hookInitCodeHash }, from));
      let expected = from;
      while (flagsOf(expected) !== NATIVE_FEE_HOOK_FLAGS) expected += 1n;
      expect(found).toBe(expected);
    },
  );
});
