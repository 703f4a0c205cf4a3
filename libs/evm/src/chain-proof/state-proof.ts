import { encodeAbiParameters, keccak256, toHex } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { readTrieProof } from './merkle-patricia.js';
import { decodeRlp, rlpBytes, rlpList, rlpQuantity } from './rlp.js';

/** An account as the `stateRoot` of a block commits to it. */
export interface ProvenAccount {
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/**
 * Reads an account. Returns null if the proof shows that there is none. @throws {EvmError} `TRIE_PROOF_INVALID`,
 * `CHAIN_DATA_INVALID`
 */
export function readAccountProof(stateRoot: Hex, address: Hex, nodes: readonly Hex[]): ProvenAccount | null {
  const value = readTrieProof(stateRoot, keccak256(address), nodes);
  if (value === null) return null;
  const [, , storageRoot, codeHash] = rlpList(decodeRlp(value, 'account'), 'account', 4);
  return {
    storageRoot: rlpBytes(storageRoot, 'account.storageRoot', 32),
    codeHash: rlpBytes(codeHash, 'account.codeHash', 32),
  };
}

/**
 * Reads a storage word. Returns zero if the proof shows that nothing is stored. @throws {EvmError}
 * `TRIE_PROOF_INVALID`, `CHAIN_DATA_INVALID`
 */
export function readStorageProof(storageRoot: Hex, slot: Hex, nodes: readonly Hex[]): Hex {
  const value = readTrieProof(storageRoot, keccak256(slot), nodes);
  const word = value === null ? 0n : rlpQuantity(decodeRlp(value, 'storage'), 'storage');
  return `0x${word.toString(16).padStart(64, '0')}`;
}

/** The slot of `stampProof` in the router's storage layout. A test compares it with the compiled contract. */
const STAMP_PROOF_SLOT = 9n;

/** The slot of `launchStamp` in router V1, and the word of a stamp that is `stampHash`. The same test compares them. */
const LAUNCH_STAMP_SLOT_V1 = 8n;
const STAMP_HASH_WORD_V1 = 7n;

const slotOf = (launchId: Hex, mapping: bigint): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [launchId, mapping]));

/** Returns the router's storage slot of `stampProof[launchId]`. */
export const stampProofSlot = (launchId: Hex): Hex => slotOf(launchId, STAMP_PROOF_SLOT);

/** Returns router V1's storage slot of `launchStamp[launchId].stampHash`, which `stampProof(launchId)` returns. */
export const stampProofSlotV1 = (launchId: Hex): Hex =>
  toHex(BigInt(slotOf(launchId, LAUNCH_STAMP_SLOT_V1)) + STAMP_HASH_WORD_V1, { size: 32 });
