import { credentialSchema, type CustomLaunchCredential } from '@launch/contracts/launch';
import type { Credential } from '@launch/prisma-api-gateway';

/** Returns a key as its holder and the operator see it, without its secret. */
export const credentialResource = (row: Credential, isAlive: boolean): CustomLaunchCredential =>
  credentialSchema.parse({
    schemaVersion: 'service.custom-launch-credential.v1',
    credentialId: row.credentialId,
    lineageId: row.lineageId,
    generation: row.generation,
    kind: row.kind,
    scopes: row.scopes,
    chainGrants: row.chains,
    boundController: row.controller,
    allowedControllers: row.allowedControllers,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    rotatedFrom: row.rotatedFrom,
    status: row.revokedAt !== null ? 'revoked' : isAlive ? 'active' : 'expired',
  });
