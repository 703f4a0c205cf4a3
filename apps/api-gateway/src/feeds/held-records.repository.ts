import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

/** Why an operator takes a record that is held back out of the counts of its feed. */
export interface Dismissal {
  readonly launchId: string;
  /** Shown to everybody. */
  readonly reason: string;
  /** Who says so; for operators alone. */
  readonly dismissedBy: string;
}

/** A launch whose record failed its own verification. */
export interface HeldRecord {
  readonly launchId: string;
  readonly onchainLaunchId: string | null;
  /** The check it failed. */
  readonly reason: string;
  readonly recordSha256: string;
  readonly quarantinedAt: Date;
  readonly dismissedReason: string | null;
  readonly dismissedBy: string | null;
  readonly dismissedAt: Date | null;
  readonly [column: string]: unknown;
}

const HELD = `SELECT q.launch_id AS "launchId", l.onchain_launch_id AS "onchainLaunchId", q.reason, q.record_sha256 AS "recordSha256",
    q.quarantined_at AS "quarantinedAt", d.reason AS "dismissedReason", d.dismissed_by AS "dismissedBy", d.dismissed_at AS "dismissedAt"
  FROM quarantined_record q JOIN launch l USING (launch_id) LEFT JOIN dismissed_record d USING (launch_id)`;
const DISMISS = `INSERT INTO dismissed_record (launch_id, reason, dismissed_by, dismissed_at)
  SELECT launch_id, $2, $3, clock_timestamp() FROM quarantined_record WHERE launch_id = $1 ON CONFLICT (launch_id) DO NOTHING RETURNING launch_id`;

/** Records that are held back, and what operators judged of them; both are written once. */
@Injectable()
export class HeldRecordsRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Every one, the oldest first. */
  list(): Promise<readonly HeldRecord[]> {
    return this.database.query<HeldRecord>(`${HELD} ORDER BY q.quarantined_at, q.launch_id`);
  }

  /** Those that were dismissed, the newest first. */
  dismissed(limit: number): Promise<readonly HeldRecord[]> {
    return this.database.query<HeldRecord>(
      `${HELD} WHERE d.launch_id IS NOT NULL ORDER BY d.dismissed_at DESC, q.launch_id LIMIT $1`,
      [limit],
    );
  }

  /** @returns what is held back there; null for nothing. `isNew` is false where it was dismissed before, which stays as it was said. */
  async dismiss({ launchId, reason, dismissedBy }: Dismissal): Promise<{ readonly isNew: boolean } | null> {
    const added = await this.database.query(DISMISS, [launchId, reason, dismissedBy]);
    if (added.length > 0) return { isNew: true };
    const [found] = await this.database.query('SELECT 1 FROM quarantined_record WHERE launch_id = $1', [launchId]);
    return found === undefined ? null : { isNew: false };
  }
}
