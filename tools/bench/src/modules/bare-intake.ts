import { randomUUID } from 'node:crypto';
import { writeDurably } from '../creates/durable-bytes.js';
import { sha256Digest, type Hex } from '@launch/contracts';
import { Pool } from 'pg';
import type { ModuleRequest } from './module-requests.js';

/**
 * The least that receiving a draft durably can do: its request and its files written and fsynced, then the rows in one
 * transaction. The statements are the gateway's (apps/api-gateway/src/modules/submission.repository.ts), sent by bare `pg`.
 * Nothing is read, hashed or judged.
 */
export interface BareIntake {
  receive(request: ModuleRequest): Promise<void>;
  close(): Promise<void>;
}

const LIVING = 'SELECT 1 FROM credential WHERE credential_id = $1 AND revoked_at IS NULL FOR SHARE';
const CLAIM = `INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
  VALUES ($1, $2, $3, $4, 'module-submission', $5) ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING RETURNING resource_id`;
const LOCK_AUTHOR = `SELECT pg_advisory_xact_lock(hashtextextended('module author ' || $1, 0))`;
const CONFLICT = `SELECT submission_id AS "submissionId", package_id = $1 AS "samePackage" FROM module_submission
  WHERE package_id = $1 OR (author = $2 AND family = $3 AND version = $4) ORDER BY package_id = $1 DESC LIMIT 1`;
const INSERT = `INSERT INTO module_submission (submission_id, author, reward_wallet, family, family_id, version, package_id,
    request_digest, supersedes, receipt, received_at, relay_after)
  VALUES ($1, $2, $2, 'bare-module', $3, $4, $5, $6, NULL, $7, now(), 'infinity')`;
const INSERT_REVIEW = `INSERT INTO module_review (submission_id, state, revision, projection, updated_at) VALUES ($1, 'awaiting_plan', 0, $2, now())`;

/** @param like a receipt and a review status as the gateway stores them, so that the rows are as long. */
export function bareIntake(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly connections: number;
  readonly author: Hex;
  readonly like: { readonly receipt: string; readonly projection: string };
}): BareIntake {
  const { author, folder, like } = options;
  const pool = new Pool({ connectionString: options.databaseUrl, max: options.connections });
  const lineageId = randomUUID();
  const digest = sha256Digest(new Uint8Array());
  const word = (): string => `0x${randomUUID().replaceAll('-', '').repeat(2)}`;

  async function rows({ version }: ModuleRequest): Promise<void> {
    const [submissionId, packageId] = [randomUUID(), word()];
    const session = await pool.connect();
    try {
      await session.query('BEGIN');
      await session.query(LIVING, [lineageId]);
      await session.query(CLAIM, [lineageId, 'POST bench', `bench-${submissionId}`, digest, submissionId]);
      await session.query(LOCK_AUTHOR, [author]);
      await session.query(CONFLICT, [packageId, author, 'bare-module', version]);
      await session.query(INSERT, [submissionId, author, word(), version, packageId, digest, like.receipt]);
      await session.query(INSERT_REVIEW, [submissionId, like.projection]);
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
