import { RateLimitService, type SharedBuckets } from '@launch/http';
import { capacityMicros, emissionMicros, type Quota } from '@launch/platform/quotas';
import { createLogger, createMetrics } from '@launch/platform';
import { Pool } from 'pg';

/** The database that counts addresses, and their quota. */
export interface AddressCharge {
  readonly databaseUrl: string;
  readonly quota: Quota;
}

/** The statement of the gateway, for a quota that is never used up: what was asked for always fits. */
const CHARGE = `
  INSERT INTO rate_bucket AS held (bucket, arrival_at)
  SELECT bucket, statement_timestamp() + least(asked * $3::bigint, $4::bigint) * interval '1 microsecond'
  FROM unnest($1::text[], $2::bigint[]) AS charge (bucket, asked) ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET arrival_at = greatest(held.arrival_at, statement_timestamp()) + (excluded.arrival_at - statement_timestamp())
  RETURNING held.bucket, extract(epoch FROM coalesce(old.arrival_at, statement_timestamp()) - statement_timestamp()) * 1000000 AS before,
    extract(epoch FROM new.arrival_at - statement_timestamp()) * 1000000 AS after`;

const uncounted = (): Promise<never> => Promise.reject(new TypeError('only addresses are charged here'));

function bucketsIn(pool: Pool): SharedBuckets {
  return {
    count: async (quota, charges) => {
      const values = [charges.map(({ bucket }) => bucket), charges.map(({ asked }) => asked)];
      const { rows } = await pool.query<{ bucket: string; before: string; after: string }>({
        name: 'charge',
        text: CHARGE,
        values: [...values, emissionMicros(quota), capacityMicros(quota)],
      });
      return new Map(
        rows.map(({ bucket, before, after }) => [
          bucket,
          { before: Math.max(0, Number(before)), after: Number(after) },
        ]),
      );
    },
    take: uncounted,
    takeUnits: uncounted,
    peekUnits: uncounted,
    giveBackUnits: uncounted,
  };
}

/** The gateway's own charge of an address, over rows that all gateways count in. */
export const addressCharges = ({ databaseUrl, quota }: AddressCharge): RateLimitService =>
  new RateLimitService(bucketsIn(new Pool({ connectionString: databaseUrl, max: 2 })), {
    quotas: { public: quota },
    sharedCountMs: 1_000,
    trustedProxies: 0,
    metrics: createMetrics('bench'),
    logger: createLogger({ service: 'bench', level: 'silent' }),
  });
