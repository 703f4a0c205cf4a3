import { type AncestryProof, EVIDENCE_LIMITS, type L1Checkpoint, type L1Posting } from '@launch/contracts/launch';
import { decodeBlockHeader, encodeBlockHeader, type Hex } from '@launch/evm';
import { z } from 'zod';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { ask } from '../rpc/rpc-answers.schema.js';
import { UnprovableError } from './unprovable.error.js';

/** Headers requested in parallel. About a hundred lie between a posting and its checkpoint. */
const AT_ONCE = 8n;
const blockSchema = z.record(z.string(), z.unknown()).nullable();

/**
 * Proves that the posting's block is an ancestor of the checkpoint or the checkpoint itself: reads every header between
 * them and checks that each names its parent.
 * @throws ChainError, EvmError, UnprovableError
 */
export async function proveAncestry(
  observer: RpcObserver,
  posting: L1Posting,
  checkpoint: L1Checkpoint,
): Promise<AncestryProof> {
  const [first, last] = [BigInt(posting.l1BlockNumber), BigInt(checkpoint.blockNumber)];
  if (last - first > BigInt(EVIDENCE_LIMITS.ancestryHeaders)) throw new UnprovableError('ANCESTRY_TOO_LONG');
  const headers: Hex[] = [];
  let parent = posting.l1BlockHash;
  for (let from = first + 1n; from <= last; from += AT_ONCE) {
    const numbers = Array.from(
      { length: Number(last - from < AT_ONCE ? last - from + 1n : AT_ONCE) },
      (_, index) => from + BigInt(index),
    );
    const blocks = await Promise.all(
      numbers.map((number) => ask(observer, 'eth_getBlockByNumber', [quantity(number), false], blockSchema)),
    );
    for (const [index, block] of blocks.entries()) {
      if (block === null) throw new UnprovableError('BLOCK_UNKNOWN');
      const rlp = encodeBlockHeader(block);
      const header = decodeBlockHeader(rlp);
      if (header.parentHash !== parent || header.number !== numbers[index])
        throw new UnprovableError('ANCESTRY_BROKEN');
      parent = header.hash;
      headers.push(rlp);
    }
  }
  if (parent !== checkpoint.blockHash) throw new UnprovableError('ANCESTRY_BROKEN');
  return { kind: 'proof', headers };
}
