import { encodeAbiParameters, keccak256, toHex } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { readTrieProof } from './merkle-patricia.js';
import { decodeRlp, rlpBytes, rlpList, rlpQuantity } from './rlp.js';

/** An account as a block's `stateRoot` commits to it. */
export interface ProvenAccount {
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/** Null when the proof shows that there is no such account. @throws {EvmError} `TRIE_PROOF_INVALID`, `CHAIN_DATA_INVALID` */
export function readAccountProof(stateRoot: Hex, address: Hex, nodes: readonly Hex[]): ProvenAccount | null {
  const value = readTrieProof(stateRoot, keccak256(address), nodes);
  if (value === null) return null;
  const [, , storageRoot, codeHash] = rlpList(decodeRlp(value, 'account'), 'account', 4);
  return {
    storageRoot: rlpBytes(storageRoot, 'account.storageRoot', 32),
    codeHash: rlpBytes(codeHash, 'account.codeHash', 32),
  };
}

/** A storage word, zero where the proof shows that nothing is stored. @throws {EvmError} `TRIE_PROOF_INVALID`, `CHAIN_DATA_INVALID` */
export function readStorageProof(storageRoot: Hex, slot: Hex, nodes: readonly Hex[]): Hex {
  const value = readTrieProof(storageRoot, keccak256(slot), nodes);
  const word = value === null ? 0n : rlpQuantity(decodeRlp(value, 'storage'), 'storage');
  return `0x${word.toString(16).padStart(64, '0')}`;
}

/** Where the router keeps `stampProof`: a fact of its storage layout, held to the compiled contract by a test. */
const STAMP_PROOF_SLOT = 9n;

/** Where router V1 keeps `launchStamp`, and which word of a stamp is `stampHash`; by the same test. */
const LAUNCH_STAMP_SLOT_V1 = 8n;
const STAMP_HASH_WORD_V1 = 7n;

const slotOf = (launchId: Hex, mapping: bigint): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [launchId, mapping]));

/** The router's storage slot of `stampProof[launchId]`. */
export const stampProofSlot = (launchId: Hex): Hex => slotOf(launchId, STAMP_PROOF_SLOT);

/** Router V1's storage slot of `launchStamp[launchId].stampHash`, which `stampProof(launchId)` answers. */
export const stampProofSlotV1 = (launchId: Hex): Hex =>
  toHex(BigInt(slotOf(launchId, LAUNCH_STAMP_SLOT_V1)) + STAMP_HASH_WORD_V1, { size: 32 });
