import { encodeAbiParameters, fromRlp, keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { readTrieProof } from './merkle-patricia.js';

/** An account as a block's `stateRoot` commits to it. */
export interface ProvenAccount {
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/** Null when the proof shows that there is no such account. @throws {EvmError} `TRIE_PROOF_INVALID`, `CHAIN_DATA_INVALID` */
export function readAccountProof(stateRoot: Hex, address: Hex, nodes: readonly Hex[]): ProvenAccount | null {
  const value = readTrieProof(stateRoot, keccak256(address), nodes);
  if (value === null) return null;
  const fields = fromRlp(value, 'hex');
  const [storageRoot, codeHash] = Array.isArray(fields) && fields.length === 4 ? [fields[2], fields[3]] : [];
  if (typeof storageRoot !== 'string' || typeof codeHash !== 'string') throw new EvmError('CHAIN_DATA_INVALID', 'account');
  return { storageRoot: storageRoot as Hex, codeHash: codeHash as Hex };
}

/** A storage word, zero where the proof shows that nothing is stored. @throws {EvmError} `TRIE_PROOF_INVALID`, `CHAIN_DATA_INVALID` */
export function readStorageProof(storageRoot: Hex, slot: Hex, nodes: readonly Hex[]): Hex {
  const value = readTrieProof(storageRoot, keccak256(slot), nodes);
  const word = value === null ? '0x' : fromRlp(value, 'hex');
  if (typeof word !== 'string' || word.length > 66) throw new EvmError('CHAIN_DATA_INVALID', 'storage');
  return `0x${word.slice(2).padStart(64, '0')}`;
}

/** Where the router keeps `stampProof`: a fact of its storage layout, held to the compiled contract by a test. */
const STAMP_PROOF_SLOT = 9n;

/** The router's storage slot of `stampProof[launchId]`. */
export const stampProofSlot = (launchId: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [launchId, STAMP_PROOF_SLOT]));
