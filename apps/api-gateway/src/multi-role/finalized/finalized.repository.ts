import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import type { Sha256Digest } from '@launch/contracts';
import { GATEWAY_DATABASE } from '../../tokens.js';

/** A published record as it is stored: the record's own bytes as text. */
export interface StoredRecord {
  /** 64-bit, as a string. */
  readonly publicationNumber: string;
  readonly record: string;
  readonly recordSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
  readonly imageMediaType: string;
  readonly [column: string]: unknown;
}

const SELECT = `SELECT publication_number AS "publicationNumber", record, record_sha256 AS "recordSha256",
  image_sha256 AS "imageSha256", image_media_type AS "imageMediaType" FROM finalized_record`;

/** Rows of the public feeds, one of each finality generation. Plain SQL: a page of public readers is one round trip, its numbers as text. */
@Injectable()
export class FinalizedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** In the order of publication, after a publication number; one row more than `limit` when there is more. */
  async list(generation: number, limit: number, after: string): Promise<readonly StoredRecord[]> {
    return this.database.query<StoredRecord>(
      `${SELECT} WHERE generation = $1 AND publication_number > $3 ORDER BY publication_number LIMIT $2`,
      [generation, limit + 1, after],
    );
  }

  /** The last publication number of all feeds; 0 before the first. Numbers become visible in their order. */
  async head(): Promise<string> {
    const [row] = await this.database.query<{ head: string }>(
      'SELECT coalesce(max(publication_number), 0) AS head FROM finalized_record',
      [],
      'prepared',
    );
    if (row === undefined) throw new TypeError('an aggregate has a row');
    return row.head;
  }

  async find(generation: number, onchainLaunchId: string): Promise<StoredRecord | null> {
    const [row] = await this.database.query<StoredRecord>(
      `${SELECT} WHERE onchain_launch_id = $1 AND generation = $2`,
      [onchainLaunchId, generation],
    );
    return row ?? null;
  }
}
