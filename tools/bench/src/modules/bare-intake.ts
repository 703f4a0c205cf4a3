import { randomUUID } from 'node:crypto';
import { writeDurably } from '../creates/durable-bytes.js';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { Pool } from 'pg';
import type { ModuleRequest } from './module-requests.js';

/**
 * The least that receiving a draft durably can do: its request and its files written and fsynced, then the rows in one
 * transaction. The statements are the gateway's (apps/api-gateway/src/core/module-submissions/submission.repository.ts), prepared as there and sent by bare `pg`.
 * Nothing is read, hashed or judged.
 */
export interface BareIntake {
  receive(request: ModuleRequest): Promise<void>;
  close(): Promise<void>;
}

const CLAIM = `
  WITH living AS (SELECT 1 FROM credential WHERE credential_id = $6 AND revoked_at IS NULL FOR SHARE), claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
    SELECT $1, $2, $3, $4, 'module-submission', $5::uuid FROM living
    ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING RETURNING resource_id)
  SELECT EXISTS (SELECT FROM living) AS "isLiving", EXISTS (SELECT FROM claim) AS "isClaimed"`;
const LOCK_AUTHOR = `SELECT pg_advisory_xact_lock(hashtextextended('module author ' || $1, 0))`;
const WRITE = `
  WITH known AS (
    SELECT submission_id, package_id = $7 AS same_package FROM module_submission
    WHERE package_id = $7 OR (author = $2 AND family = $4 AND version = $6) ORDER BY package_id = $7 DESC LIMIT 1
  ), draft AS (
    INSERT INTO module_submission (submission_id, author, reward_wallet, family, family_id, version, package_id,
      request_digest, supersedes, receipt, received_at, relay_after)
    SELECT $1::uuid, $2, $3, $4, $5, $6, $7, $8, $9::uuid, $10, $11::timestamptz, $12::timestamptz
    WHERE NOT EXISTS (SELECT FROM known) AND ($9::uuid IS NULL OR EXISTS (
      SELECT FROM module_submission p WHERE p.submission_id = $9 AND p.author = $2 AND p.family = $4
        AND NOT EXISTS (SELECT FROM module_submission s WHERE s.supersedes = p.submission_id)))
    RETURNING submission_id, received_at
  ), review AS (
    INSERT INTO module_review (submission_id, state, revision, projection, updated_at)
    SELECT submission_id, 'awaiting_plan', 0, $13, received_at FROM draft)
  SELECT EXISTS (SELECT FROM draft) AS "isReceived", (SELECT submission_id FROM known) AS "submissionId",
    (SELECT same_package FROM known) AS "samePackage"`;

/** @param like a receipt and a review status as the gateway stores them, so that the rows are as long. */
export function bareIntake(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly connections: number;
  readonly author: Hex;
  /** A living key's. */
  readonly credentialId: string;
  readonly like: { readonly receipt: string; readonly projection: string };
}): BareIntake {
  const { author, credentialId, folder, like } = options;
  const pool = new Pool({ connectionString: options.databaseUrl, max: options.connections });
  const lineageId = randomUUID();
  const digest = sha256Digest(new Uint8Array());
  const word = (): string => `0x${randomUUID().replaceAll('-', '').repeat(2)}`;

  async function rows({ version }: ModuleRequest): Promise<void> {
    const [submissionId, packageId] = [randomUUID(), word()];
    const session = await pool.connect();
    try {
      await session.query('BEGIN');
      const prepared = (name: string, text: string, values: readonly unknown[]) =>
        session.query<{ readonly isReceived?: boolean }>({ name, text, values: [...values] });
      const key = [lineageId, 'POST bench', `bench-${submissionId}`, digest];
      await prepared('claim', CLAIM, [...key, submissionId, credentialId]);
      await prepared('lock', LOCK_AUTHOR, [author]);
      const identity = [submissionId, author, author, 'bare-module', word(), version, packageId, digest, null];
      const { rows: written } = await prepared('write', WRITE, [
        ...identity,
        ...[like.receipt, new Date(), 'infinity', like.projection],
      ]);
      if (written[0]?.isReceived !== true) throw new Error('a row was not written');
      await session.query('COMMIT');
    } finally {
      session.release();
    }
  }

  return {
    receive: async (request) => {
      await Promise.all([request.bytes, ...request.files].map((bytes) => writeDurably(folder, bytes)));
      await rows(request);
    },
    close: () => pool.end(),
  };
}
