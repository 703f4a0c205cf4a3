import type { Hex } from '@launch/contracts/primitives';
import { EvmError } from '../evm.error.js';

/** Bytes as `0x` and an even number of hex digits; lowercase in everything this library returns. */
export type { Hex };

/** Returns the same bytes in lowercase digits. */
export const lowerHex = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/**
 * Searches for a wrong digit instead of matching the whole text: a megabyte of hex must not exhaust the stack of a
 * regular expression.
 */
const NOT_HEX = /[^0-9a-fA-F]/;

/** Reports whether the text is `0x` followed by whole bytes in hex, exactly `byteLength` of them if given. */
export function isHex(text: string, byteLength?: number): text is Hex {
  if (byteLength === undefined ? text.length % 2 !== 0 : text.length !== 2 + 2 * byteLength) return false;
  return text.startsWith('0x') && !NOT_HEX.test(text.slice(2));
}

/** The value of each hex digit by its code unit; above 15 for other characters. */
const DIGITS = new Uint8Array(128).fill(0xff);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Returns the bytes of a text that satisfies `isHex`, for programs of tens of kilobytes. @throws {EvmError}
 * `HEX_INVALID` otherwise.
 */
export function bytesOfHex(hex: Hex): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >>> 1);
  let seen = hex.length & 1 ? 0xff : 0;
  for (let at = 0, digit = 2; at < bytes.length; at += 1, digit += 2) {
    const high = DIGITS[hex.charCodeAt(digit)] ?? 0xff;
    const low = DIGITS[hex.charCodeAt(digit + 1)] ?? 0xff;
    seen |= high | low;
    bytes[at] = (high << 4) | low;
  }
  if (seen > 0x0f) throw new EvmError('HEX_INVALID', 'hex');
  return bytes;
}

/** Lowercases hex of exactly `byteLength` bytes. @throws {EvmError} `HEX_INVALID` naming `field`. */
export function normalHex(text: string, byteLength: number | undefined, field: string): Hex {
  if (!isHex(text, byteLength)) throw new EvmError('HEX_INVALID', field);
  return lowerHex(text);
}

/** Returns an address as lowercase hex. Checksums only matter for display and are not checked here. */
export function normalAddress(text: string, field: string): Hex {
  if (!isHex(text, 20)) throw new EvmError('ADDRESS_INVALID', field);
  return lowerHex(text);
}
