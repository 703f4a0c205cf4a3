import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

const NOW = 'statement_timestamp()';
/** Places whose holder has not outlived its time. */
const HELD = `array(SELECT ends FROM unnest(held.ends_at) AS ends WHERE ends > ${NOW})`;

const TAKE = `
  INSERT INTO work_place AS held (owner, ends_at) VALUES ($1, ARRAY[${NOW} + $2::bigint * interval '1 millisecond'])
  ON CONFLICT (owner) DO UPDATE SET ends_at = ${HELD} || excluded.ends_at WHERE cardinality(${HELD}) < $3
  RETURNING ends_at[cardinality(ends_at)]::text AS ends`;
// Of two that end at the same microsecond only one is given back.
const AT = 'array_position(ends_at, $2::timestamptz)';
const GIVE_BACK = `UPDATE work_place SET ends_at = ends_at[:${AT} - 1] || ends_at[${AT} + 1:] WHERE owner = $1 AND ${AT} IS NOT NULL`;
const SWEEP = `DELETE FROM work_place WHERE ${NOW} >= ALL (ends_at)`;

/** Who works on what at this moment, in all gateways: one row each owner. */
@Injectable()
export class WorkPlaceRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Takes one of `places` for at most `ms`, atomically; what to give back, or null when all are held. */
  async take(owner: string, places: number, ms: number): Promise<string | null> {
    const [taken] = await this.database.query<{ ends: string }>(TAKE, [owner, ms, places]);
    return taken?.ends ?? null;
  }

  async giveBack(owner: string, ends: string): Promise<void> {
    await this.database.query(GIVE_BACK, [owner, ends]);
  }

  /** Forgets owners that work on nothing. */
  async sweep(): Promise<void> {
    await this.database.query(SWEEP);
  }
}
