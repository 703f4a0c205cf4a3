import { z } from 'zod';
import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from './observer.js';

/**
 * The shapes of JSON-RPC answers this product reads. Unknown fields are dropped, not
 * refused (every client adds its own); everything that is used is checked.
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

/** The same with the filter over its logs, for who has to know that a block has none. */
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

/** A log with its transaction's place in the block: it stands for the receipt, since only a successful transaction has logs. */
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
  /** Gas bounds how many, and the size of an answer how many are read. */
  logs: z.array(rpcLogSchema),
});
export type ChainReceipt = z.output<typeof rpcReceiptSchema>;

/** What is read of a transaction, and the whole answer, from which its hash follows. */
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

/** Where a transaction is in the chain; of one that is in no block yet, its place is null. */
export const rpcInclusionSchema = z.object({
  from: rpcAddress,
  to: rpcAddress.nullable(),
  blockHash: rpcHash.nullish(),
  blockNumber: rpcQuantity.nullish(),
  transactionIndex: rpcQuantity.nullish(),
});

/** Asks, and parses the answer by its schema. @throws ChainError, RPC_ANSWER_INVALID when the shape is wrong. */
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
