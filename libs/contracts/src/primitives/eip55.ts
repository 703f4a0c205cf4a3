import { keccak256Hex } from './digest.js';
import type { Hex } from './scalars.schema.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns an address in the letter case of its checksum (EIP-55). */
export function checksummed(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak256Hex(new TextEncoder().encode(digits)).slice(2);
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/** Returns the lowercase form of an address in one letter case or with its correct checksum; null for anything else. */
export function addressOf(text: string): Hex | null {
  if (!ADDRESS.test(text)) return null;
  const address: Hex = `0x${text.slice(2)}`;
  const lower: Hex = `0x${text.slice(2).toLowerCase()}`;
  return text === lower || address === checksummed(lower) ? lower : null;
}
