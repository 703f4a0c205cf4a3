import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  hexBytesSchema,
  timestampSchema,
  uint256Schema,
} from '../primitives/scalars.schema.js';

export const walletTransactionSchema = z.strictObject({
  from: addressSchema,
  to: addressSchema,
  chainId: z.literal('4663'),
  value: uint256Schema,
  data: hexBytesSchema(128 * 1024),
});
export type WalletTransaction = z.infer<typeof walletTransactionSchema>;

/** The block at which the exact transaction succeeded on both executors. */
export const handoffSimulationSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  gasUsed: decimalSchema,
  simulatedAt: timestampSchema,
});

/** The link of a list item to its hand-off: calldata is in no list. */
export const handoffUrlSchema = z
  .string()
  .max(256)
  .nullable()
  .describe(
    'The path whose response contains the hand-off. Resolve it against the origin of the service. Null while that response contains none.',
  );
