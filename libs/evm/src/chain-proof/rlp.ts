import { fromRlp, toRlp } from 'viem/utils';
import { EvmError, type EvmErrorCode } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';

/** What RLP writes: bytes, or a list of such. */
export type RlpItem = Hex | readonly RlpItem[];

export const encodeRlp = (item: RlpItem): Hex => toRlp(item as never) as Hex;

/**
 * Reads RLP that is the one encoding of what it says: shortest lengths, single bytes by themselves, nothing behind it.
 * @param where Names the thing read, for the error.
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

/** A list, of exactly `length` items where that is given. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpList(item: RlpItem | undefined, where: string, length?: number): readonly RlpItem[] {
  if (typeof item !== 'object' || (length !== undefined && item.length !== length))
    throw new EvmError('CHAIN_DATA_INVALID', where);
  return item;
}

/** Bytes, of exactly `length` where that is given. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpBytes(item: RlpItem | undefined, where: string, length?: number): Hex {
  if (typeof item !== 'string' || (length !== undefined && item.length !== 2 + 2 * length))
    throw new EvmError('CHAIN_DATA_INVALID', where);
  return item;
}

/** An integer of at most 32 bytes without leading zeros. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function rlpQuantity(item: RlpItem | undefined, where: string): bigint {
  const digits = rlpBytes(item, where);
  if (digits.length > 66 || digits.startsWith('0x00')) throw new EvmError('CHAIN_DATA_INVALID', where);
  return digits === '0x' ? 0n : BigInt(digits);
}

/** An integer as RLP writes it: big-endian without leading zeros. */
export function rlpInteger(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
}
