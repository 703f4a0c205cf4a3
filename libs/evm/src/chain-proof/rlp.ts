import { fromRlp, toRlp } from 'viem/utils';
import { EvmError, type EvmErrorCode } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';

/** A value that RLP encodes: bytes, or a list of values. */
export type RlpItem = Hex | readonly RlpItem[];

export const encodeRlp = (item: RlpItem): Hex => toRlp(item as never) as Hex;

/**
 * Decodes RLP. Accepts only the one encoding of a value: shortest lengths, single bytes without a prefix, no trailing
 * bytes.
 * @param where Names the decoded value in the error.
 * @throws {EvmError} `code`
 */
export function decodeRlp(rlp: Hex, where: string, code: EvmErrorCode = 'CHAIN_DATA_INVALID'): RlpItem {
  let item: RlpItem;
  try {
    item = fromRlp(rlp, 'hex') as RlpItem;
  } catch {
    throw new EvmError(code, where);
  }
  if (encodeRlp(item) !== rlp.toLowerCase()) throw new EvmError(code, where);
  return item;
}

/** Returns a list, of exactly `length` items if given. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpList(item: RlpItem | undefined, where: string, length?: number): readonly RlpItem[] {
  if (typeof item !== 'object' || (length !== undefined && item.length !== length))
    throw new EvmError('CHAIN_DATA_INVALID', where);
  return item;
}

/** Returns bytes, exactly `length` of them if given. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpBytes(item: RlpItem | undefined, where: string, length?: number): Hex {
  if (typeof item !== 'string' || (length !== undefined && item.length !== 2 + 2 * length))
    throw new EvmError('CHAIN_DATA_INVALID', where);
  return item;
}

/** Returns an integer of at most 32 bytes without leading zeros. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpQuantity(item: RlpItem | undefined, where: string): bigint {
  const digits = rlpBytes(item, where);
  if (digits.length > 66 || digits.startsWith('0x00')) throw new EvmError('CHAIN_DATA_INVALID', where);
  return digits === '0x' ? 0n : BigInt(digits);
}

/** Encodes an integer for RLP: big-endian without leading zeros. */
export function rlpInteger(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
}
