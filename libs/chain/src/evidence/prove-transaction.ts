import { EVIDENCE_LIMITS, type TransactionProof } from '@launch/contracts/launch';
import {
  decodeBlockHeader,
  encodeBlockHeader,
  encodeReceipt,
  encodeTransaction,
  EvmError,
  proveListItem,
  type ProvenHeader,
} from '@launch/evm';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { RpcObserver } from '../rpc/observer.js';
import { ask } from '../rpc/rpc-answers.schema.js';
import { UnprovableError } from './unprovable.error.js';

/** An upper bound on the transactions of any block of either chain. A larger block has no proof. */
const MAX_ITEMS = 20_000;
const record = z.record(z.string(), z.unknown());
const fullBlockSchema = record.and(z.object({ transactions: z.array(record).max(MAX_ITEMS) })).nullable();
const receiptsSchema = z.array(record).max(MAX_ITEMS).nullable();

/** Encodes a header and verifies it against the block's hash. @throws ChainError, EvmError, UnprovableError */
export async function readHeader(
  observer: RpcObserver,
  blockHash: Hex,
): Promise<{ readonly rlp: Hex; readonly header: ProvenHeader }> {
  return headerOf(await ask(observer, 'eth_getBlockByHash', [blockHash, false], record.nullable()), blockHash);
}

function headerOf(
  block: Readonly<Record<string, unknown>> | null,
  blockHash: Hex,
): { readonly rlp: Hex; readonly header: ProvenHeader } {
  if (block === null) throw new UnprovableError('BLOCK_UNKNOWN');
  const rlp = encodeBlockHeader(block);
  const header = decodeBlockHeader(rlp);
  if (header.hash !== blockHash) throw new UnprovableError('BLOCK_HASH_MISMATCH');
  return { rlp, header };
}

/**
 * Proves a transaction and its receipt in a block. Rebuilds both tries from the whole block and compares them with the
 * header's roots, and the header with the block's hash.
 * @throws ChainError, EvmError, UnprovableError
 */
export async function proveTransaction(
  observer: RpcObserver,
  blockHash: Hex,
  transactionHash: Hex,
): Promise<TransactionProof> {
  const block = await ask(observer, 'eth_getBlockByHash', [blockHash, true], fullBlockSchema);
  const { rlp, header } = headerOf(block, blockHash);
  const transactions = block?.transactions ?? [];
  const transactionIndex = transactions.findIndex(({ hash }) => hash === transactionHash);
  const own = transactions[transactionIndex];
  if (own === undefined) throw new UnprovableError('TRANSACTION_NOT_IN_BLOCK');
  const receipts = ((await ask(observer, 'eth_getBlockReceipts', [{ blockHash }], receiptsSchema)) ?? []).map(
    encodeReceipt,
  );
  const receiptProof = proveListItem(receipts, transactionIndex);
  const receipt = receipts[transactionIndex];
  if (receipt === undefined || receiptProof.root !== header.receiptsRoot)
    throw new UnprovableError('RECEIPTS_ROOT_MISMATCH');
  const transaction = encodeTransaction(own);
  if ([transaction, receipt].some((bytes) => bytes.length > 2 + 2 * EVIDENCE_LIMITS.provenBytes))
    throw new UnprovableError('PROOF_TOO_LARGE');
  return {
    kind: 'proof',
    header: rlp,
    transactionIndex,
    transaction,
    transactionNodes: transactionNodes(transactions, transactionIndex, header.transactionsRoot),
    receipt,
    receiptNodes: [...receiptProof.nodes],
  };
}

/**
 * Returns null if the block has a transaction type that cannot be rebuilt, so that only this half of the proof is lost.
 */
function transactionNodes(transactions: readonly unknown[], index: number, root: Hex): Hex[] | null {
  try {
    const proof = proveListItem(transactions.map(encodeTransaction), index);
    return proof.root === root ? [...proof.nodes] : null;
  } catch (error) {
    if (error instanceof EvmError) return null;
    throw error;
  }
}
