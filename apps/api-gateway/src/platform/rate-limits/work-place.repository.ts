import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { WorkPlaces } from '@launch/http';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

const NOW = 'statement_timestamp()';
/** Slots whose lease has not ended. */
const HELD = `array(SELECT ends FROM unnest(held.ends_at) AS ends WHERE ends > ${NOW})`;

/** The number of requested slots that are still free. */
const FREE = `greatest($4 - cardinality(${HELD}), 0)`;

// Takes as many requested slots as are free, for many owners. Rows are locked in one order, so that two gateways never
// deadlock.
const TAKE = `
  INSERT INTO work_place AS held (owner, ends_at)
  SELECT owner, array_fill(${NOW} + $3::bigint * interval '1 millisecond', ARRAY[least(asked, $4)])
  FROM unnest($1::text[], $2::int[]) AS wanted (owner, asked) ORDER BY owner
  ON CONFLICT (owner) DO UPDATE SET ends_at = ${HELD} || excluded.ends_at[:${FREE}]
  RETURNING held.owner, ends_at[cardinality(ends_at)]::text AS ends, cardinality(new.ends_at) - coalesce(cardinality(
    array(SELECT ends FROM unnest(old.ends_at) AS ends WHERE ends > ${NOW})), 0) AS granted`;
// Of slots that end at the same microsecond, as many are released as are named.
const GIVE_BACK = `
  WITH held AS (SELECT owner, ends_at FROM work_place WHERE owner = ANY($1::text[]) ORDER BY owner FOR UPDATE)
  UPDATE work_place SET ends_at = array(
    SELECT ends FROM (SELECT ends, row_number() OVER (PARTITION BY ends) AS nth FROM unnest(held.ends_at) AS ends) AS place
    WHERE nth > (SELECT count(*) FROM unnest($1::text[], $2::timestamptz[]) AS given (owner, ends)
      WHERE given.owner = held.owner AND given.ends = place.ends)
    ORDER BY ends)
  FROM held WHERE work_place.owner = held.owner`;
const SWEEP = `DELETE FROM work_place WHERE ${NOW} >= ALL (ends_at)`;

/** Stores the slots that owners hold now across all gateways, one row for each owner. */
@Injectable()
export class WorkPlaceRepository implements WorkPlaces {
  private readonly taking = new Map<string, Gathering<string, string | null>>();
  private readonly giving = new Gathering<{ readonly owner: string; readonly ends: string }, void>(async (places) => {
    await this.database.query(
      GIVE_BACK,
      [places.map(({ owner }) => owner), places.map(({ ends }) => ends)],
      'prepared',
    );
    return places.map(() => undefined);
  });

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Takes one of `places` for at most `ms`, atomically. Returns the value to release it by, or null when all are held. */
  take(owner: string, places: number, ms: number): Promise<string | null> {
    const kind = `${places}/${ms}`;
    let taking = this.taking.get(kind);
    if (taking === undefined) {
      taking = new Gathering((owners) => this.takeTogether(owners, places, ms));
      this.taking.set(kind, taking);
    }
    return taking.ask(owner);
  }

  async giveBack(owner: string, ends: string): Promise<void> {
    await this.giving.ask({ owner, ends });
  }

  private async takeTogether(owners: readonly string[], places: number, ms: number) {
    const asked = new Map<string, number>();
    for (const owner of owners) asked.set(owner, (asked.get(owner) ?? 0) + 1);
    const rows = await this.database.query<{ owner: string; ends: string; granted: number }>(
      TAKE,
      [[...asked.keys()], [...asked.values()], ms, places],
      'prepared',
    );
    const left = new Map(rows.map(({ owner, ends, granted }) => [owner, { ends, granted }]));
    return owners.map((owner) => {
      const granted = left.get(owner);
      if (granted === undefined || granted.granted === 0) return null;
      granted.granted -= 1;
      return granted.ends;
    });
  }

  /** Deletes owners that hold nothing. */
  async sweep(): Promise<void> {
    await this.database.query(SWEEP);
  }
}
