import { isCanonicalEncoding } from '../encoding/canonical-abi.js';
import type { Hex } from '../encoding/hex.js';
import type { BytecodeMismatchReason } from './bytecode-match.types.js';

/**
 * Returns the reason why arguments do not fit the constructor of the ABI, or `null`. They must be the one canonical
 * encoding: trailing bytes, dirty padding and unread words are refused.
 */
export function constructorArgumentsFault(abi: readonly unknown[], args: Hex): BytecodeMismatchReason | null {
  const inputs = constructorInputs(abi);
  if (inputs.length === 0) return args === '0x' ? null : 'constructor-takes-none';
  return isCanonicalEncoding(inputs, args) ? null : 'not-canonical-abi';
}

/** Returns the parameters of an ABI's constructor; empty if it declares none. */
export function constructorInputs(abi: readonly unknown[]): readonly unknown[] {
  for (const item of abi) {
    if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'constructor') continue;
    if ('inputs' in item && Array.isArray(item.inputs)) return item.inputs as readonly unknown[];
  }
  return [];
}
