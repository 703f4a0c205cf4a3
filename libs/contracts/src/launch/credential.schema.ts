import { z } from 'zod';
import { addressSchema, timestampSchema } from '../primitives/scalars.schema.js';

/** `CustomLaunchCredentialV1`: an API key as its holder sees it, without its secret. */
export const credentialSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-credential.v1'),
    credentialId: z.string().max(64),
    lineageId: z
      .string()
      .max(64)
      .describe('Identifies the key and its rotated successors. The lineage owns the resources.'),
    generation: z.int().positive(),
    kind: z.enum(['wallet', 'partner']),
    scopes: z.array(z.string().max(128)).max(64),
    chainGrants: z.array(z.string().max(32)).max(16),
    boundController: addressSchema.nullable().describe('The wallet that the key is bound to. Null for a partner key.'),
    allowedControllers: z.array(addressSchema).max(256).describe('The wallets that a partner key can launch from.'),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.nullable(),
    rotatedFrom: z.string().max(64).nullable().describe('The credential that this one replaced.'),
    status: z.enum(['active', 'expired', 'revoked']),
  })
  .meta({ id: 'CustomLaunchCredentialV1' });
export type CustomLaunchCredential = z.infer<typeof credentialSchema>;
