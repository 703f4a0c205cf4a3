import { statement } from '@launch/platform';
import { z } from 'zod';

export const FORGET = statement({
  name: 'nonce.forget',
  text: `DELETE FROM sign_in_nonce WHERE nonce IN (
  SELECT nonce FROM sign_in_nonce WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
});

/** Deletes the row and returns its contents to the one request that deleted it. */
export const USE = statement({
  name: 'nonce.use',
  row: z.strictObject({ expiresAt: z.date() }),
  text: 'DELETE FROM sign_in_nonce WHERE nonce = $1 RETURNING expires_at AS "expiresAt"',
});
