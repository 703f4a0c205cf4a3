import { EVIDENCE_LIMITS, type AncestryProof, type L1Checkpoint, type L1Posting } from '@launch/contracts';
import { decodeBlockHeader, encodeBlockHeader } from '@launch/evm';
import { z } from 'zod';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { ask } from '../rpc/rpc-answers.schema.js';
import { UnprovableError } from './unprovable.error.js';

const blockSchema = z.record(z.string(), z.unknown()).nullable();

/**
 * Proves that the posting's block is an ancestor of the checkpoint, or the checkpoint itself: every header between
 * them, each naming the one before it.
 * @throws ChainError, EvmError, UnprovableError
 */
export async function proveAncestry(observer: RpcObserver, posting: L1Posting, checkpoint: L1Checkpoint): Promise<AncestryProof> {
  const [first, last] = [BigInt(posting.l1BlockNumber), BigInt(checkpoint.blockNumber)];
  if (last - first > BigInt(EVIDENCE_LIMITS.ancestryHeaders)) throw new UnprovableError('ANCESTRY_TOO_LONG');
  const headers: string[] = [];
  let parent = posting.l1BlockHash;
  for (let number = first + 1n; number <= last; number += 1n) {
    const block = await ask(observer, 'eth_getBlockByNumber', [quantity(number), false], blockSchema);
    if (block === null) throw new UnprovableError('BLOCK_UNKNOWN');
    const rlp = encodeBlockHeader(block);
    const header = decodeBlockHeader(rlp);
    if (header.parentHash !== parent || header.number !== number) throw new UnprovableError('ANCESTRY_BROKEN');
    parent = header.hash;
    headers.push(rlp);
  }
  if (parent !== checkpoint.blockHash) throw new UnprovableError('ANCESTRY_BROKEN');
  return { kind: 'proof', headers };
}
