import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { FeedName } from '../projections/publication.repository.js';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { CUSTOM_LAUNCH_COUNTERS, EVIDENCE, FIND, HEAD, LIST } from './feed.sql.js';

/** A published record as stored: the record's own bytes as text. */
export interface StoredRecord {
  /** A 64-bit number as a string. */
  readonly publicationNumber: string;
  readonly record: string;
  readonly recordSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
  readonly imageMediaType: string;
}

/** Counts of the launches of a feed. */
export interface FeedCounters {
  /** Launches whose finality is reached. */
  readonly source: number;
  readonly published: number;
  readonly quarantined: number;
  readonly asOf: Date;
}

/** Reads rows of the public feeds. */
@Injectable()
export class FeedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists records in the order of publication, after a publication number; one row more than `limit` when more follow. */
  async list(feed: FeedName, limit: number, after: string): Promise<readonly StoredRecord[]> {
    return this.database.query(LIST, [feed, limit + 1, after]);
  }

  /** Returns the last publication number of all feeds; 0 before the first. Numbers become visible in order. */
  async head(): Promise<string> {
    const [row] = await this.database.query(HEAD);
    if (row === undefined) throw new TypeError('an aggregate has a row');
    return row.head;
  }

  async find(feed: FeedName, onchainLaunchId: string): Promise<StoredRecord | null> {
    const [row] = await this.database.query(FIND, [onchainLaunchId, feed]);
    return row ?? null;
  }

  /** Returns which of the given launches are in a feed, by their ids at the router. */
  async published(feed: FeedName, onchainLaunchIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.prisma.finalizedRecord.findMany({
      where: { feed, onchainLaunchId: { in: [...onchainLaunchIds] } },
      select: { onchainLaunchId: true },
    });
    return new Set(rows.map(({ onchainLaunchId }) => onchainLaunchId));
  }

  /** Returns the evidence of a launch in a feed; null for any other launch. */
  async evidenceOf(feed: FeedName, launchId: string): Promise<Sha256Digest | null> {
    const [row] = await this.database.query(EVIDENCE, [launchId, feed]);
    return row?.evidence ?? null;
  }

  /** Counts the launches of the feed of custom launches and plans. */
  async customLaunchCounters(): Promise<FeedCounters> {
    const [row] = await this.database.query(CUSTOM_LAUNCH_COUNTERS);
    if (row === undefined) throw new TypeError('counts are a row');
    return row;
  }
}
