import { Inject, Injectable } from '@nestjs/common';
import type { PlanMode } from '@launch/contracts/plans';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { decodePlan, type PlanRow } from './plan.row.js';
import { COUNT_ATOMIC, FIND, LIST } from './plan.sql.js';

/** The owner of plans: the wallets that a key acts for, and the lineage to which it is limited; null reads every lineage. */
export interface PlanOwner {
  readonly readsLineageId: string | null;
  readonly controllers: readonly string[];
}

/** A position in the list: newest first, then by id. */
export interface PlanPosition {
  readonly createdAt: Date;
  readonly planId: string;
}

/** Reads plans with their steps, in one statement. */
@Injectable()
export class PlanRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Finds a plan that the owner reads; null for absent and foreign plans. */
  async findOwned(planId: string, { readsLineageId, controllers }: PlanOwner): Promise<PlanRow | null> {
    const [row] = await this.database.query(FIND, [readsLineageId, controllers, planId]);
    return row === undefined ? null : decodePlan(row);
  }

  /** Lists plans, the newest first; `after` is the last row of the previous page. Returns one row more than `limit` when more follow. */
  async listOwned(
    { readsLineageId, controllers }: PlanOwner,
    modes: readonly PlanMode[],
    limit: number,
    after: PlanPosition | null,
  ): Promise<readonly PlanRow[]> {
    const rows = await this.database.query(LIST, [
      readsLineageId,
      controllers,
      after?.createdAt ?? null,
      after?.planId ?? null,
      modes,
      limit + 1,
    ]);
    return rows.map(decodePlan);
  }

  /** Counts Atomic plans after `after` up to `last`; without `last`, up to the end of the list. */
  async countAtomic(
    { readsLineageId, controllers }: PlanOwner,
    after: PlanPosition | null,
    last: PlanPosition | null,
  ): Promise<number> {
    const [row] = await this.database.query(COUNT_ATOMIC, [
      readsLineageId,
      controllers,
      after?.createdAt ?? null,
      after?.planId ?? null,
      last?.createdAt ?? null,
      last?.planId ?? null,
    ]);
    return row?.omitted ?? 0;
  }
}
