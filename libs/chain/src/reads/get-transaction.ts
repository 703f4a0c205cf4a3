import { keccak256Hex } from '@launch/contracts/primitives';
import { bytesOfHex, decodeSignedTransaction, encodeTransaction, EvmError, type SignedTransaction } from '@launch/evm';
import type { Hex } from 'viem';
import { ask, rpcInclusionSchema, rpcTransactionSchema, type RpcTransaction } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';

export interface ChainTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly value: bigint;
  readonly input: Hex;
  /** The chain its signature is for; null for a signature that names none. */
  readonly chainId: bigint | null;
  /**
   * True when the hash and the sender follow from the signed fields, so that no provider can have made the transaction
   * up. False when they do not; null for a transaction type this product cannot rebuild.
   */
  readonly authentic: boolean | null;
}

const nullable = rpcTransactionSchema.nullable();

/** A transaction by hash, mined or not, null where the observer does not know it. @throws ChainError */
export async function getTransaction(observer: RpcObserver, hash: string): Promise<ChainTransaction | null> {
  const answer = await ask(observer, 'eth_getTransactionByHash', [hash], nullable);
  if (answer === null) return null;
  const { transaction } = answer;
  return {
    ...transaction,
    chainId: transaction.chainId ?? null,
    authentic: transaction.hash === hash ? isAuthentic(answer) : false,
  };
}

/** A transaction's place in the chain, and between whom it is. */
export interface Inclusion {
  readonly from: Hex;
  readonly to: Hex | null;
  readonly blockHash: Hex;
  readonly blockNumber: bigint;
  readonly transactionIndex: bigint;
}

const inclusion = rpcInclusionSchema.nullable();

/** Where a block holds a transaction, null while none does. @throws ChainError */
export async function getInclusion(observer: RpcObserver, hash: string): Promise<Inclusion | null> {
  const answer = await ask(observer, 'eth_getTransactionByHash', [hash], inclusion);
  if (answer === null) return null;
  const { from, to, blockHash, blockNumber, transactionIndex } = answer;
  if (blockHash == null || blockNumber == null || transactionIndex == null) return null;
  return { from, to, blockHash, blockNumber, transactionIndex };
}

function isAuthentic({ raw, transaction }: RpcTransaction): boolean | null {
  try {
    const { hash, from, chainId } = signatureOf(encodeTransaction(raw));
    return hash === transaction.hash && from === transaction.from && chainId === (transaction.chainId ?? null);
  } catch (error) {
    if (!(error instanceof EvmError)) throw error;
    // A signature without a signer: nobody signed this. Everything else is of a kind that this product cannot rebuild.
    return error.field === 'transaction.signature' ? false : null;
  }
}

type Signature = Pick<SignedTransaction, 'hash' | 'from' | 'chainId'>;

/** By their hash, which binds the signature: a transaction that is watched is asked for again and again. */
const signatures = new Map<Hex, Signature>();
const MAX_SIGNATURES = 1_024;

/** Who signed, and for which chain. @throws {EvmError} as `decodeSignedTransaction` */
function signatureOf(bytes: Hex): Signature {
  const hash = keccak256Hex(bytesOfHex(bytes));
  const known = signatures.get(hash);
  if (known !== undefined) return known;
  const { from, chainId } = decodeSignedTransaction(bytes);
  const signature = { hash, from, chainId };
  if (signatures.size >= MAX_SIGNATURES) signatures.clear();
  signatures.set(hash, signature);
  return signature;
}
