import { randomUUID } from 'node:crypto';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { Pool } from 'pg';
import { writeDurably } from './durable-bytes.js';

/**
 * The least a durable, idempotent create can do: the rows, and nothing around them. The statements are those of the
 * gateway (context, then key, nonce and launch together, in one transaction), sent by bare `pg`. The tables are the
 * same, and so are indexes, foreign keys and the commit's fsync.
 */
export interface BareCreates {
  rows(): Promise<void>;
  /** The same with the request's bytes written, fsynced, renamed and their folder fsynced first. */
  rowsAndBytes(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const KEEP_CONTEXT = 'INSERT INTO release_context (context_hash, document) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const RESERVE = `
  WITH claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
    VALUES ($1, $2, $3, $4, 'multi-role-launch', $5) ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING
    RETURNING resource_id AS launch_id
  ), held AS (
    INSERT INTO nonce_reservation (router, controller, nonce, launch_id) SELECT $6, $7, $8, launch_id FROM claim
  )
  INSERT INTO launch (launch_id, family, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
    artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status, relay_after)
  SELECT launch_id, 'multi-role.v2', $1, $7, $6, $8, $3, $4, $9, $10, $11, $12, $13, $14, $15, 'reserved', now() + interval '1 day' FROM claim`;

export function bareCreates(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly connections: number;
  readonly request: CreateRequest;
  readonly contextText: string;
}): BareCreates {
  const { request, contextText, folder } = options;
  const pool = new Pool({ connectionString: options.databaseUrl, max: options.connections });
  const lineageId = randomUUID();
  const { contextHash } = request.contextCommitments;
  const hash = request.launchIntentHash;
  const image = sha256Digest(new Uint8Array());
  const word = (): string => randomUUID().replaceAll('-', '');

  async function rows(): Promise<void> {
    const id = word();
    const values = [
      ...[
        lineageId,
        'POST bench',
        `bench-${id}`,
        image,
        randomUUID(),
        request.context.chainDeployment.router.address,
        request.launchWallet,
      ],
      ...[
        BigInt(`0x${id}`).toString(),
        hash,
        hash,
        `0x${id}${id}`,
        contextHash,
        request.permitWindow.validAfter,
        request.permitWindow.deadline,
        image,
      ],
    ];
    const session = await pool.connect();
    try {
      await session.query('BEGIN');
      await session.query(KEEP_CONTEXT, [contextHash, contextText]);
      const { rowCount } = await session.query(RESERVE, values);
      if (rowCount !== 1) throw new Error('a row was not written');
      await session.query('COMMIT');
    } finally {
      session.release();
    }
  }

  return {
    rows,
    rowsAndBytes: async (bytes) => {
      await writeDurably(folder, bytes);
      await rows();
    },
    close: () => pool.end(),
  };
}
