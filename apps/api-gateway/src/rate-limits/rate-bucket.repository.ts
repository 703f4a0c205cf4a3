import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';
import { emissionIntervalMs, quotaState, type Quota, type QuotaState } from './quotas.js';

const TAKE = `
  INSERT INTO rate_bucket AS held (bucket, arrival_at)
  VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
  ON CONFLICT (bucket) DO UPDATE
    SET arrival_at = greatest(held.arrival_at, clock_timestamp()) + $2 * interval '1 millisecond'
    WHERE greatest(held.arrival_at, clock_timestamp()) + $2 * interval '1 millisecond' <= clock_timestamp() + $3 * interval '1 millisecond'
  RETURNING extract(epoch FROM arrival_at - clock_timestamp()) * 1000 AS ahead_ms`;
const PEEK = `SELECT extract(epoch FROM arrival_at - clock_timestamp()) * 1000 AS ahead_ms FROM rate_bucket WHERE bucket = $1`;
const SWEEP = `DELETE FROM rate_bucket WHERE arrival_at < now() - interval '1 hour'`;

/** Buckets of credential lineages, shared by every gateway through one row each. */
@Injectable()
export class RateBucketRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Counts one request, atomically; one statement when it fits, two when it does not. */
  async take(bucket: string, quota: Quota): Promise<QuotaState> {
    const interval = emissionIntervalMs(quota);
    const [taken] = await this.database.query<{ ahead_ms: string }>(TAKE, [bucket, interval, interval * quota.burst]);
    if (taken !== undefined) return quotaState(quota, true, Number(taken.ahead_ms));
    const [full] = await this.database.query<{ ahead_ms: string }>(PEEK, [bucket]);
    return quotaState(quota, false, Number(full?.ahead_ms ?? interval * quota.burst));
  }

  /** Forgets buckets that have long been full again. */
  async sweep(): Promise<void> {
    await this.database.query(SWEEP);
  }
}
