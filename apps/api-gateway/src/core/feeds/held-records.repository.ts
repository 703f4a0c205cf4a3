import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** An operator's decision to exclude a held record from the counts of its feed. */
export interface Dismissal {
  /** The name of the record, as in `HeldRecord.name`. */
  readonly record: string;
  /** Public. */
  readonly reason: string;
  /** The operator; shown to operators alone. */
  readonly dismissedBy: string;
}

/** A launch whose record failed its own verification, of either feed. */
export interface HeldRecord {
  /** The name by which it is dismissed: its launch id or, on Ethereum, `<transaction hash>/<log index>`. */
  readonly name: string;
  /** Null for a launch on Ethereum, which was never submitted here. */
  readonly launchId: string | null;
  readonly onchainLaunchId: string | null;
  /** The block of the event of a launch on Ethereum; null for other launches. */
  readonly blockHash: string | null;
  /** The check that it failed. */
  readonly reason: string;
  readonly recordSha256: string | null;
  readonly quarantinedAt: Date;
  readonly dismissedReason: string | null;
  readonly dismissedBy: string | null;
  readonly dismissedAt: Date | null;
  readonly [column: string]: unknown;
}

const HELD = `SELECT * FROM (
  SELECT q.launch_id::text AS name, q.launch_id::text AS "launchId", l.onchain_launch_id AS "onchainLaunchId", NULL AS "blockHash", q.reason,
    q.record_sha256 AS "recordSha256", q.quarantined_at AS "quarantinedAt", d.reason AS "dismissedReason", d.dismissed_by AS "dismissedBy",
    d.dismissed_at AS "dismissedAt"
  FROM quarantined_record q JOIN launch l USING (launch_id) LEFT JOIN dismissed_record d USING (launch_id)
  UNION ALL
  SELECT h.transaction_hash || '/' || h.log_index, NULL, NULL, h.block_hash, h.reason, NULL, h.held_at, d.reason, d.dismissed_by, d.dismissed_at
  FROM ethereum_held_record h LEFT JOIN dismissed_ethereum_record d USING (block_hash, transaction_hash, log_index)) held`;
const DISMISS = `INSERT INTO dismissed_record (launch_id, reason, dismissed_by, dismissed_at)
  SELECT launch_id, $2, $3, clock_timestamp() FROM quarantined_record WHERE launch_id = $1::uuid ON CONFLICT (launch_id) DO NOTHING RETURNING launch_id`;
const DISMISS_OF_ETHEREUM = `INSERT INTO dismissed_ethereum_record (block_hash, transaction_hash, log_index, reason, dismissed_by, dismissed_at)
  SELECT block_hash, transaction_hash, log_index, $2, $3, clock_timestamp() FROM ethereum_held_record WHERE transaction_hash || '/' || log_index = $1
  ON CONFLICT (block_hash, transaction_hash, log_index) DO NOTHING RETURNING log_index`;

/** Stores held records and the dismissals by operators; both are written once. */
@Injectable()
export class HeldRecordsRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists every held record, the oldest first. */
  list(): Promise<readonly HeldRecord[]> {
    return this.database.query<HeldRecord>(`${HELD} ORDER BY "quarantinedAt", name`);
  }

  /** Counts the launches on Ethereum that are held here and not dismissed. */
  async ofEthereum(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (${HELD} WHERE "launchId" IS NULL AND "dismissedAt" IS NULL) undismissed`,
    );
    return row?.count ?? 0;
  }

  /** Lists the dismissed records of one feed, the newest first. */
  dismissed(feed: 'v4' | 'ethereum', limit: number): Promise<readonly HeldRecord[]> {
    return this.database.query<HeldRecord>(
      `${HELD} WHERE "dismissedAt" IS NOT NULL AND ("launchId" IS NULL) = $2 ORDER BY "dismissedAt" DESC, name LIMIT $1`,
      [limit, feed === 'ethereum'],
    );
  }

  /** Dismisses a held record. @returns null when no such record is held; `isNew` is false after an earlier dismissal, which stays. */
  async dismiss({ record, reason, dismissedBy }: Dismissal): Promise<{ readonly isNew: boolean } | null> {
    const statement = record.startsWith('0x') ? DISMISS_OF_ETHEREUM : DISMISS;
    const added = await this.database.query(statement, [record, reason, dismissedBy]);
    if (added.length > 0) return { isNew: true };
    const [found] = await this.database.query(`${HELD} WHERE name = $1`, [record]);
    return found === undefined ? null : { isNew: false };
  }
}
