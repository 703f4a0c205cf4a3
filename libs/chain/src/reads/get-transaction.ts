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
  /** The chain ID of its signature; null for a signature without one. */
  readonly chainId: bigint | null;
  /**
   * True if the hash and the sender follow from the signed fields, so that no provider can have invented the
   * transaction. False if they do not; null for a transaction type that this product cannot rebuild.
   */
  readonly authentic: boolean | null;
}

const nullable = rpcTransactionSchema.nullable();

/** Returns a transaction by hash, mined or pending, or null if the observer does not have it. @throws ChainError */
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

/** A transaction's place in the chain, its sender and its recipient. */
export interface Inclusion {
  readonly from: Hex;
  readonly to: Hex | null;
  readonly blockHash: Hex;
  readonly blockNumber: bigint;
  readonly transactionIndex: bigint;
}

const inclusion = rpcInclusionSchema.nullable();

/** Returns the block position of a transaction, or null while no block holds it. @throws ChainError */
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
    // A signature without a signer is invalid. Every other error means a type that this product cannot rebuild.
    return error.field === 'transaction.signature' ? false : null;
  }
}

type Signature = Pick<SignedTransaction, 'hash' | 'from' | 'chainId'>;

/** Cached by hash, which binds the signature: a watched transaction is read repeatedly. */
const signatures = new Map<Hex, Signature>();
const MAX_SIGNATURES = 1_024;

/** Recovers the signer and the chain ID. @throws {EvmError} like `decodeSignedTransaction` */
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
