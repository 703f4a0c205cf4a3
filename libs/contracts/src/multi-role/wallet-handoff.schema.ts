import { z } from 'zod';
import { handoffSimulationSchema, walletTransactionSchema } from '../launch/wallet-transaction.schema.js';
import { bytes32Schema, sha256DigestSchema, timestampSchema, unixSecondsSchema } from '../primitives/scalars.schema.js';

/**
 * The exact transaction that the controller's wallet is asked to send. Its bytes are identical from `authorized`
 * through `finalized` (docs/reference/multi-role.md#wallet-hand-off).
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
    simulation: handoffSimulationSchema,
    walletTransaction: walletTransactionSchema,
  })
  .meta({ id: 'WalletHandoff' });
export type WalletHandoff = z.infer<typeof walletHandoffSchema>;
