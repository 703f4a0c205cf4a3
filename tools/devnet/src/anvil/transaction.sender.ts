import { serializeTransaction } from 'viem';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DevnetError } from '../devnet.errors.js';
import type { JsonRpcClient } from './json-rpc.client.js';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)]);

const receiptSchema = z.object({
  status: z.enum(['0x0', '0x1']),
  blockNumber: z.string().transform(Number),
  blockHash: hash,
  contractAddress: address.nullish(),
});

export type SentReceipt = z.output<typeof receiptSchema>;

export interface TransactionIntent {
  readonly to: Hex | null;
  readonly data: Hex;
  readonly gas: bigint;
  readonly value?: bigint;
  /** Defaults to the account's next one. */
  readonly nonce?: number;
}

const MAX_FEE_PER_GAS = 1_000_000_000_000n;
/** Milliseconds between two reads of a receipt. A transaction waits for the next block; a poster waits most of its time. */
const RECEIPT_EVERY_MS = 100;

/** Signs and sends a transaction, and returns its hash. @throws DevnetError `RPC_FAILED`. */
export async function sendTransaction(
  rpc: JsonRpcClient,
  chainId: number,
  account: PrivateKeyAccount,
  intent: TransactionIntent,
): Promise<Hex> {
  const nonce = intent.nonce ?? Number(await rpc.call('eth_getTransactionCount', account.address, 'pending'));
  const raw = await account.signTransaction(
    {
      type: 'eip1559',
      chainId,
      nonce,
      to: intent.to,
      data: intent.data,
      gas: intent.gas,
      value: intent.value ?? 0n,
      maxFeePerGas: MAX_FEE_PER_GAS,
      maxPriorityFeePerGas: 0n,
    },
    { serializer: serializeTransaction },
  );
  return hash.parse(await rpc.call('eth_sendRawTransaction', raw));
}

/** Returns the receipt, or null without one. */
export async function receiptOf(rpc: JsonRpcClient, transactionHash: Hex): Promise<SentReceipt | null> {
  const receipt = await rpc.call('eth_getTransactionReceipt', transactionHash);
  return receipt === null ? null : receiptSchema.parse(receipt);
}

/** Waits until the transaction is in a block. @throws DevnetError `TRANSACTION_UNKNOWN` after `timeoutMs`. */
export async function waitForReceipt(
  rpc: JsonRpcClient,
  transactionHash: Hex,
  timeoutMs: number,
): Promise<SentReceipt> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const receipt = await receiptOf(rpc, transactionHash);
    if (receipt !== null) return receipt;
    if (performance.now() > end) {
      throw new DevnetError('TRANSACTION_UNKNOWN', 'a transaction was not mined in time', { transactionHash });
    }
    await delay(RECEIPT_EVERY_MS);
  }
}
