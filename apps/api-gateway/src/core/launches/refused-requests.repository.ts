import { Inject, Injectable } from '@nestjs/common';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { DUE, IS_RETIRED, NEEDED, NOTE_RETIRED } from './refused-requests.sql.js';

/** A launch that ended without a hand-off, so no wallet can send it. */
export interface RefusedRequest {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
}

/** Finds launches whose bytes are no longer needed, and the records that need bytes. */
@Injectable()
export class RefusedRequestsRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists the oldest launches that ended at least this many days ago and still have their bytes. */
  due(days: number, limit: number): Promise<readonly RefusedRequest[]> {
    return this.database.query(DUE, [days, limit]);
  }

  /** Returns which of these blobs a record names. @param besides launches that do not count. */
  async needed(digests: readonly Sha256Digest[], besides: readonly string[] = []): Promise<ReadonlySet<Sha256Digest>> {
    const rows = await this.database.query(NEEDED, [digests, besides]);
    return new Set(rows.map(({ digest }) => digest));
  }

  /** Reports whether a launch no longer has its bytes. */
  async isRetired(launchId: string): Promise<boolean> {
    const [row] = await this.database.query(IS_RETIRED, [launchId]);
    return row?.retired === true;
  }

  /** Records that launches no longer have their bytes. */
  async noteRetired(launchIds: readonly string[]): Promise<void> {
    await this.database.query(NOTE_RETIRED, [launchIds]);
  }
}
