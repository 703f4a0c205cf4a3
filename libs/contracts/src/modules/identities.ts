import { canonicalKeccak, keccak256Hex } from '../primitives/digest.js';
import type { Bytes32, Hex } from '../primitives/scalars.schema.js';
import type { ModulePackage } from './package.schema.js';

const WORD = 32;

/** Encodes a number as an ABI word. */
function word(value: number): Uint8Array {
  const bytes = new Uint8Array(WORD);
  new DataView(bytes.buffer).setUint32(WORD - 4, value);
  return bytes;
}

function addressWord(address: Hex): Uint8Array {
  const bytes = new Uint8Array(WORD);
  for (let index = 0; index < 20; index += 1)
    bytes[WORD - 20 + index] = Number.parseInt(address.slice(2 + 2 * index, 4 + 2 * index), 16);
  return bytes;
}

/**
 * `keccak256(abi.encode(address author, string family))` (docs/reference/modules.md#module-identities).
 * @param author 20 bytes, in any case.
 */
export function familyIdOf(author: Hex, family: string): Bytes32 {
  const text = new TextEncoder().encode(family);
  const padded = new Uint8Array(Math.ceil(text.length / WORD) * WORD);
  padded.set(text);
  const parts = [addressWord(author), word(2 * WORD), word(text.length), padded];
  const encoded = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    encoded.set(part, at);
    at += part.length;
  }
  return keccak256Hex(encoded);
}

/**
 * Returns keccak-256 of the descriptor's canonical JSON. The descriptor pins every file, so equal packages have equal
 * ids.
 */
export const packageIdOf = (descriptor: ModulePackage): Bytes32 => canonicalKeccak(descriptor);
