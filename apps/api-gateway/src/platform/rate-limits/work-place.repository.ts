import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { WorkPlaces } from '@launch/http';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';
import { GIVE_BACK, SWEEP, TAKE } from './work-place.sql.js';

/** Stores the slots that owners hold now across all gateways, one row for each owner. */
@Injectable()
export class WorkPlaceRepository implements WorkPlaces {
  private readonly taking = new Map<string, Gathering<string, string | null>>();
  private readonly giving = new Gathering<{ readonly owner: string; readonly ends: string }, void>(async (places) => {
    await this.database.query(GIVE_BACK, [places.map(({ owner }) => owner), places.map(({ ends }) => ends)]);
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
    const rows = await this.database.query(TAKE, [[...asked.keys()], [...asked.values()], ms, places]);
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
