import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { COUNT_OF_ETHEREUM, DISMISS, DISMISS_OF_ETHEREUM, FIND, LIST, LIST_DISMISSED } from './held-records.sql.js';

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
}

/** Stores held records and the dismissals by operators; both are written once. */
@Injectable()
export class HeldRecordsRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists every held record, the oldest first. */
  list(): Promise<readonly HeldRecord[]> {
    return this.database.query(LIST);
  }

  /** Counts the launches on Ethereum that are held here and not dismissed. */
  async ofEthereum(): Promise<number> {
    const [row] = await this.database.query(COUNT_OF_ETHEREUM);
    return row?.count ?? 0;
  }

  /** Lists the dismissed records of one feed, the newest first. */
  dismissed(feed: 'v4' | 'ethereum', limit: number): Promise<readonly HeldRecord[]> {
    return this.database.query(LIST_DISMISSED, [limit, feed === 'ethereum']);
  }

  /** Dismisses a held record. @returns null when no such record is held; `isNew` is false after an earlier dismissal, which stays. */
  async dismiss({ record, reason, dismissedBy }: Dismissal): Promise<{ readonly isNew: boolean } | null> {
    const statement = record.startsWith('0x') ? DISMISS_OF_ETHEREUM : DISMISS;
    const added = await this.database.query(statement, [record, reason, dismissedBy]);
    if (added.length > 0) return { isNew: true };
    const [found] = await this.database.query(FIND, [record]);
    return found === undefined ? null : { isNew: false };
  }
}
