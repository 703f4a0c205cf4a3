import type { Hex } from '@launch/contracts/primitives';
import { EvmError } from '../evm.error.js';

/** Bytes as `0x` and an even number of hex digits; lowercase in everything this library returns. */
export type { Hex };

/** The same bytes in lowercase digits. */
export const lowerHex = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** Searched for, not matched whole: a megabyte of hex must not cost a regular expression its stack. */
const NOT_HEX = /[^0-9a-fA-F]/;

/** Whether the text is `0x` and whole bytes in hex, of `byteLength` bytes where that is given. */
export function isHex(text: string, byteLength?: number): text is Hex {
  if (byteLength === undefined ? text.length % 2 !== 0 : text.length !== 2 + 2 * byteLength) return false;
  return text.startsWith('0x') && !NOT_HEX.test(text.slice(2));
}

/** The value of each hex digit by its code unit, and above 15 for whatever is none. */
const DIGITS = new Uint8Array(128).fill(0xff);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The bytes of a text that `isHex`, for programs of tens of kilobytes. @throws {EvmError} `HEX_INVALID` for another. */
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

/** An address as lowercase hex. Checksums are a matter of display and are not judged here. */
export function normalAddress(text: string, field: string): Hex {
  if (!isHex(text, 20)) throw new EvmError('ADDRESS_INVALID', field);
  return lowerHex(text);
}
