import { z } from 'zod';
import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from './observer.js';

/**
 * Schemas of the JSON-RPC answers that this product reads. Unknown fields are dropped, because every client adds its
 * own; every field in use is checked.
 */
const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => text.toLowerCase() as Hex);

export const rpcAddress = hexOf(20);
export const rpcHash = hexOf(32);
export const rpcData = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex);
export const rpcQuantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

export const rpcHeaderSchema = z.object({
  number: rpcQuantity,
  hash: rpcHash,
  parentHash: rpcHash,
  timestamp: rpcQuantity,
});
export type BlockHeader = z.output<typeof rpcHeaderSchema>;

/** The same with the bloom filter of its logs, for a caller that must prove that a block has none. */
export const rpcBloomHeaderSchema = rpcHeaderSchema.extend({ logsBloom: hexOf(256) });
export type BloomHeader = z.output<typeof rpcBloomHeaderSchema>;

export const rpcLogSchema = z.object({
  address: rpcAddress,
  topics: z.array(rpcHash).max(4),
  data: rpcData,
  blockNumber: rpcQuantity,
  blockHash: rpcHash,
  transactionHash: rpcHash,
  logIndex: rpcQuantity,
  removed: z.literal(false).optional(),
});
export type ChainLog = Omit<z.output<typeof rpcLogSchema>, 'removed'>;

/**
 * A log with its transaction's place in the block. It substitutes for the receipt, since only a successful transaction
 * has logs.
 */
export const rpcPlacedLogSchema = rpcLogSchema.extend({ transactionIndex: rpcQuantity });
export type PlacedChainLog = Omit<z.output<typeof rpcPlacedLogSchema>, 'removed'>;

export const rpcReceiptSchema = z.object({
  transactionHash: rpcHash,
  transactionIndex: rpcQuantity,
  blockHash: rpcHash,
  blockNumber: rpcQuantity,
  from: rpcAddress,
  to: rpcAddress.nullable(),
  status: z
    .enum(['0x0', '0x1'])
    .transform((status): 'success' | 'reverted' => (status === '0x1' ? 'success' : 'reverted')),
  /** Gas bounds their number, and the answer limit bounds their size. */
  logs: z.array(rpcLogSchema),
});
export type ChainReceipt = z.output<typeof rpcReceiptSchema>;

/** The fields that the product reads of a transaction, and the whole answer, from which its hash follows. */
export const rpcTransactionSchema = z
  .record(z.string(), z.unknown())
  .transform((raw) => ({ raw, transaction: raw }))
  .pipe(
    z.object({
      raw: z.record(z.string(), z.unknown()),
      transaction: z.object({
        hash: rpcHash,
        from: rpcAddress,
        to: rpcAddress.nullable(),
        value: rpcQuantity,
        input: rpcData,
        chainId: rpcQuantity.nullish(),
      }),
    }),
  );
export type RpcTransaction = z.output<typeof rpcTransactionSchema>;

/** A transaction's place in the chain; null while no block holds it. */
export const rpcInclusionSchema = z.object({
  from: rpcAddress,
  to: rpcAddress.nullable(),
  blockHash: rpcHash.nullish(),
  blockNumber: rpcQuantity.nullish(),
  transactionIndex: rpcQuantity.nullish(),
});

/** Sends a request and parses the answer. @throws ChainError, RPC_ANSWER_INVALID if the shape is wrong. */
export async function ask<S extends z.ZodType>(
  observer: RpcObserver,
  method: string,
  params: readonly unknown[],
  schema: S,
  answerBytes?: number,
): Promise<z.output<S>> {
  const parsed = schema.safeParse(await observer.request(method, params, answerBytes));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'invalid'}`;
  throw new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method, problem });
}
