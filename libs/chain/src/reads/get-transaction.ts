import { keccak256, recoverTransactionAddress, serializeTransaction, type Hex, type Signature, type TransactionSerializable } from 'viem';
import { ask, rpcTransactionSchema, type RpcTransaction } from '../rpc/rpc-answers.schema.js';
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
   * True when the hash and the sender follow from the signed fields, so that no
   * provider can have made the transaction up; false when they do not; null for a
   * transaction type this product cannot rebuild.
   */
  readonly authentic: boolean | null;
}

const nullable = rpcTransactionSchema.nullable();

/** A transaction by hash, mined or not, null where the observer does not know it. @throws ChainError */
export async function getTransaction(observer: RpcObserver, hash: string): Promise<ChainTransaction | null> {
  const transaction = await ask(observer, 'eth_getTransactionByHash', [hash], nullable);
  if (transaction === null) return null;
  return {
    hash: transaction.hash,
    from: transaction.from,
    to: transaction.to,
    value: transaction.value,
    input: transaction.input,
    chainId: transaction.chainId ?? null,
    authentic: await isAuthentic(transaction, hash),
  };
}

async function isAuthentic(transaction: RpcTransaction, asked: string): Promise<boolean | null> {
  if (transaction.hash !== asked) return false;
  const signed = rebuild(transaction);
  if (signed === null) return null;
  try {
    const serialized = serializeTransaction(signed.fields, signed.signature);
    if (keccak256(serialized) !== transaction.hash) return false;
    return (await recoverTransactionAddress({ serializedTransaction: serialized as never })).toLowerCase() === transaction.from;
  } catch {
    // Fields that cannot be serialised or a signature without a signer: nobody signed this.
    return false;
  }
}

function rebuild(transaction: RpcTransaction): { fields: TransactionSerializable; signature: Signature } | null {
  const { r, s, v, yParity } = transaction;
  if (r == null || s == null) return null;
  const common = {
    ...(transaction.to === null ? {} : { to: transaction.to }),
    value: transaction.value,
    data: transaction.input,
    nonce: Number(transaction.nonce),
    gas: transaction.gas,
  };
  const parity = yParity ?? v;
  if (parity == null) return null;
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
  const typed = { r: word(r), s: word(s), yParity: Number(parity & 1n) };
  const accessList = (transaction.accessList ?? []) as { address: Hex; storageKeys: Hex[] }[];
  switch (transaction.type) {
    case 0n: {
      if (v == null || transaction.gasPrice == null) return null;
      const chain = v >= 35n ? { chainId: Number((v - 35n) / 2n) } : {};
      return { fields: { type: 'legacy', ...common, ...chain, gasPrice: transaction.gasPrice }, signature: { r: word(r), s: word(s), v } };
    }
    case 1n:
      if (transaction.gasPrice == null || transaction.chainId == null) return null;
      return { fields: { type: 'eip2930', ...common, chainId: Number(transaction.chainId), gasPrice: transaction.gasPrice, accessList }, signature: typed };
    case 2n:
      if (transaction.maxFeePerGas == null || transaction.maxPriorityFeePerGas == null || transaction.chainId == null) return null;
      return {
        fields: {
          type: 'eip1559',
          ...common,
          chainId: Number(transaction.chainId),
          maxFeePerGas: transaction.maxFeePerGas,
          maxPriorityFeePerGas: transaction.maxPriorityFeePerGas,
          accessList,
        },
        signature: typed,
      };
    default:
      return null;
  }
}
