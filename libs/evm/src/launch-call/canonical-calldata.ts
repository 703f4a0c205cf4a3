import { EvmError } from '../evm.error.js';
import { isHex, normalHex, type Hex } from '../encoding/hex.js';

/** Largest calldata that is decoded, in bytes. The chain's own transaction limit is configuration, and lower. */
export const MAX_LAUNCH_CALLDATA_BYTES = 1_048_576;

/**
 * Decodes calldata of a router. Accepts only the one canonical encoding, so two byte strings never mean the same.
 * @param decode may throw any error for calldata that it cannot decode.
 * @throws {EvmError} `LAUNCH_CALLDATA_TOO_LARGE`, `LAUNCH_CALLDATA_INVALID` or `LAUNCH_CALLDATA_NOT_CANONICAL`.
 */
export function readCanonicalCalldata<Invocation>(
  calldata: string,
  decode: (data: Hex) => Invocation,
  encode: (invocation: Invocation) => Hex,
): Invocation {
  if (calldata.length > 2 + 2 * MAX_LAUNCH_CALLDATA_BYTES) throw new EvmError('LAUNCH_CALLDATA_TOO_LARGE', 'data');
  if (!isHex(calldata)) throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  const data = normalHex(calldata, undefined, 'data');
  const invocation = decoded(() => decode(data));
  if (encode(invocation) !== data) throw new EvmError('LAUNCH_CALLDATA_NOT_CANONICAL', 'data');
  return invocation;
}

function decoded<Invocation>(decode: () => Invocation): Invocation {
  try {
    return decode();
  } catch (error) {
    if (error instanceof EvmError) throw error;
    throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  }
}

/**
 * Returns the same value with every text in lowercase. Decoded calldata has no text but hex, and only addresses have
 * capitals.
 */
export function withLowerHex<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase() as Value;
  if (Array.isArray(value)) return value.map(withLowerHex) as Value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLowerHex(member)])) as Value;
}
