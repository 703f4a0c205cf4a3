import { Inject, Injectable } from '@nestjs/common';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** A launch that ended without a hand-off, so no wallet can send it. */
export interface RefusedRequest {
  readonly launchId: string;
  readonly requestSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
}

/** The same final statuses as in the partial index. A launch with a hand-off or a transaction keeps its bytes for ever. */
const DUE = `SELECT launch_id AS "launchId", request_sha256 AS "requestSha256", image_sha256 AS "imageSha256" FROM launch
  WHERE bytes_retired_at IS NULL AND handoff_sha256 IS NULL AND status IN ('action_required', 'failed', 'expired', 'superseded')
    AND transaction_hash IS NULL AND evidence_sha256 IS NULL AND updated_at < now() - $1 * interval '1 day'
  ORDER BY updated_at LIMIT $2`;
const RETIRED = `UPDATE launch SET bytes_retired_at = now() WHERE launch_id = ANY($1::uuid[]) AND bytes_retired_at IS NULL`;
/** Blobs are shared: a record of any kind that names one keeps it. */
const NEEDED = `SELECT asked.digest FROM unnest($1::text[]) AS asked(digest)
  WHERE EXISTS (SELECT FROM launch l WHERE l.request_sha256 = asked.digest AND l.bytes_retired_at IS NULL AND l.launch_id <> ALL($2::uuid[]))
    OR EXISTS (SELECT FROM launch l WHERE l.image_sha256 = asked.digest AND l.bytes_retired_at IS NULL AND l.launch_id <> ALL($2::uuid[]))
    OR EXISTS (SELECT FROM module_submission s WHERE s.request_digest = asked.digest)
    OR EXISTS (SELECT FROM module_submission s WHERE s.file_digests @> ARRAY[asked.digest])`;

/** Finds launches whose bytes are no longer needed, and the records that need bytes. */
@Injectable()
export class RefusedRequestsRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Lists the oldest launches that ended at least this many days ago and still have their bytes. */
  due(days: number, limit: number): Promise<readonly RefusedRequest[]> {
    return this.database.query<RefusedRequest & Record<string, unknown>>(DUE, [days, limit]);
  }

  /** Returns which of these blobs a record names. @param besides launches that do not count. */
  async needed(digests: readonly Sha256Digest[], besides: readonly string[] = []): Promise<ReadonlySet<Sha256Digest>> {
    const rows = await this.database.query<{ readonly digest: Sha256Digest }>(NEEDED, [digests, besides]);
    return new Set(rows.map(({ digest }) => digest));
  }

  /** Records that launches no longer have their bytes. */
  async noteRetired(launchIds: readonly string[]): Promise<void> {
    await this.database.query(RETIRED, [launchIds]);
  }
}
