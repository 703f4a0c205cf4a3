import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { FeedName } from '../projections/publication.repository.js';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** A published record as stored: the record's own bytes as text. */
export interface StoredRecord {
  /** A 64-bit number as a string. */
  readonly publicationNumber: string;
  readonly record: string;
  readonly recordSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
  readonly imageMediaType: string;
  readonly [column: string]: unknown;
}

const SELECT = `SELECT publication_number AS "publicationNumber", record, record_sha256 AS "recordSha256",
  image_sha256 AS "imageSha256", image_media_type AS "imageMediaType" FROM finalized_record`;

/** Counts of the launches of a feed. */
export interface FeedCounters {
  /** Launches whose finality is reached. */
  readonly source: number;
  readonly published: number;
  readonly quarantined: number;
  readonly asOf: Date;
}

// Custom launches and plans are in one feed. The partial index on `launch` has just these rows. Records that an operator
// dismissed are in neither count.
const CUSTOM_COUNTERS = `
  SELECT ((SELECT count(*) FROM launch WHERE status = 'finalized' AND family <> 'multi-role.v2')
      - (SELECT count(*) FROM dismissed_record))::int AS source,
    (SELECT count(*) FROM finalized_record WHERE feed = 'custom-launch.v4')::int AS published,
    ((SELECT count(*) FROM quarantined_record) - (SELECT count(*) FROM dismissed_record))::int AS quarantined, now() AS "asOf"`;

/** Reads rows of the public feeds. Plain SQL: a page is one round trip, with its numbers as text. */
@Injectable()
export class FeedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists records in the order of publication, after a publication number; one row more than `limit` when more follow. */
  async list(feed: FeedName, limit: number, after: string): Promise<readonly StoredRecord[]> {
    return this.database.query<StoredRecord>(
      `${SELECT} WHERE feed = $1 AND publication_number > $3 ORDER BY publication_number LIMIT $2`,
      [feed, limit + 1, after],
    );
  }

  /** Returns the last publication number of all feeds; 0 before the first. Numbers become visible in order. */
  async head(): Promise<string> {
    const [row] = await this.database.query<{ head: string }>(
      'SELECT coalesce(max(publication_number), 0) AS head FROM finalized_record',
      [],
      'prepared',
    );
    if (row === undefined) throw new TypeError('an aggregate has a row');
    return row.head;
  }

  async find(feed: FeedName, onchainLaunchId: string): Promise<StoredRecord | null> {
    const [row] = await this.database.query<StoredRecord>(`${SELECT} WHERE onchain_launch_id = $1 AND feed = $2`, [
      onchainLaunchId,
      feed,
    ]);
    return row ?? null;
  }

  /** Returns which of the given launches are in a feed, by their ids at the router. */
  async published(feed: FeedName, onchainLaunchIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT onchain_launch_id AS id FROM finalized_record WHERE feed = $1 AND onchain_launch_id = ANY($2)',
      [feed, onchainLaunchIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the evidence of a launch in a feed; null for any other launch. */
  async evidenceOf(feed: FeedName, launchId: string): Promise<Sha256Digest | null> {
    const [row] = await this.database.query<{ evidence: Sha256Digest | null }>(
      `SELECT evidence_sha256 AS evidence FROM finalized_record JOIN launch USING (launch_id) WHERE launch_id = $1 AND feed = $2`,
      [launchId, feed],
    );
    return row?.evidence ?? null;
  }

  /** Counts the launches of the feed of custom launches and plans. */
  async customCounters(): Promise<FeedCounters> {
    const [row] = await this.database.query<FeedCounters & Record<string, unknown>>(CUSTOM_COUNTERS);
    if (row === undefined) throw new TypeError('counts are a row');
    return row;
  }
}
