import { statement } from '@launch/platform';
import { z } from 'zod';

const liveCredentialRow = z.strictObject({
  credentialId: z.string(),
  lineageId: z.string(),
  generation: z.int(),
  kind: z.string(),
  origin: z.string(),
  controller: z.string().nullable(),
  allowedControllers: z.array(z.string()),
  scopes: z.array(z.string()),
  chains: z.array(z.string()),
  label: z.string().nullable(),
  secretMac: z.custom<Buffer<ArrayBuffer>>(Buffer.isBuffer),
  expiresAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
});

const SELECT = `SELECT credential_id AS "credentialId", lineage_id AS "lineageId", generation, kind, origin, controller, allowed_controllers AS "allowedControllers", scopes, chains, label,
  secret_mac AS "secretMac", expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM credential`;

export const FIND_BY_ID = statement({
  name: 'credential.find-by-id',
  isPrepared: true,
  row: liveCredentialRow,
  text: `${SELECT} WHERE credential_id = ANY($1)`,
});

/** A wallet has one lineage of sign-ins for each origin. Its generations give their order. Creation times are the starts of transactions, which may overlap. */
export const LATEST_SIGN_IN = statement({
  name: 'credential.latest-sign-in',
  row: liveCredentialRow,
  text: `${SELECT} WHERE origin = $2 AND controller = $1 ORDER BY generation DESC LIMIT 1`,
});

export const LOCK = statement({
  name: 'credential.lock',
  text: 'SELECT 1 FROM credential WHERE credential_id = $1 FOR UPDATE',
});

export const INSERT = statement({
  name: 'credential.insert',
  text: `INSERT INTO credential (credential_id, lineage_id, generation, kind, origin, controller, allowed_controllers, scopes, chains, label, secret_mac, rotated_from, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
});

/** A replaced key ends with its grace, or at its own earlier end. Only a living key is replaced, and only once. */
export const REPLACE = statement({
  name: 'credential.replace',
  text: `UPDATE credential SET expires_at = least(expires_at, $2::timestamptz)
  WHERE credential_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
    AND NOT EXISTS (SELECT 1 FROM credential next WHERE next.rotated_from = $1)
  RETURNING credential_id`,
});

/** Ends the living sign-in keys of a wallet and origin beyond the latest `$4`. */
export const END_OLDEST_SIGN_INS = statement({
  name: 'credential.end-oldest-sign-ins',
  text: `UPDATE credential SET expires_at = $3 WHERE credential_id IN (
    SELECT credential_id FROM credential
    WHERE origin = $2 AND controller = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
    ORDER BY generation DESC OFFSET $4)`,
});

/** Serialises sign-ins, revocations and blocks of one wallet. */
export const LOCK_WALLET = statement({
  name: 'credential.lock-wallet',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('sign-in ' || $1, 0))`,
});

export const REVOKE = statement({
  name: 'credential.revoke',
  text: 'UPDATE credential SET revoked_at = $2 WHERE credential_id = $1 AND revoked_at IS NULL RETURNING credential_id',
});

export const FIND_BLOCK = statement({
  name: 'credential.find-block',
  text: 'SELECT 1 FROM blocked_wallet WHERE controller = $1',
});

export const BLOCK = statement({
  name: 'credential.block',
  text: 'INSERT INTO blocked_wallet (controller, revoked_credential, blocked_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING controller',
});

export const LIVING_OF = statement({
  name: 'credential.living-of',
  row: z.strictObject({ credentialId: z.string() }),
  text: `SELECT credential_id AS "credentialId" FROM credential
  WHERE controller = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, credential_id`,
});
