import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  hexBytesSchema,
  sha256DigestSchema,
  timestampSchema,
  uint256Schema,
  unixSecondsSchema,
} from '../primitives/scalars.schema.js';

export const walletTransactionSchema = z.strictObject({
  from: addressSchema,
  to: addressSchema,
  chainId: z.literal('4663'),
  value: uint256Schema,
  data: hexBytesSchema(128 * 1024),
});
export type WalletTransaction = z.infer<typeof walletTransactionSchema>;

/**
 * The exact transaction the controller's wallet is asked to send; byte for byte the
 * same from `authorized` through `finalized` (spec 2, Launch resource).
 */
export const walletHandoffSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-wallet-handoff.v2'),
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    contextHash: bytes32Schema,
    artifactHash: bytes32Schema,
    permitDigest: bytes32Schema,
    validAfter: unixSecondsSchema,
    deadline: unixSecondsSchema,
    createdAt: timestampSchema,
    simulation: z.strictObject({
      blockNumber: decimalSchema,
      blockHash: bytes32Schema,
      gasUsed: decimalSchema,
      simulatedAt: timestampSchema,
    }),
    walletTransaction: walletTransactionSchema,
  })
  .meta({ id: 'WalletHandoff' });
export type WalletHandoff = z.infer<typeof walletHandoffSchema>;
