import { Inject, Injectable } from '@nestjs/common';
import type { PlanMode } from '@launch/contracts/plans';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { decodePlan, PLAN_AND_LAUNCH, PLAN_COLUMNS, type PlanRow, type StoredPlan } from './plan.row.js';

/** The owner of plans: a lineage, for the wallets that its key acts for. */
export interface PlanOwner {
  readonly lineageId: string;
  readonly controllers: readonly string[];
}

/** A position in the list: newest first, then by id. */
export interface PlanPosition {
  readonly createdAt: Date;
  readonly planId: string;
}

const OWNED = "l.lineage_id = $1 AND l.family = 'plan.v1' AND l.controller = ANY($2)";
const AFTER = '($3::timestamptz IS NULL OR l.created_at < $3 OR (l.created_at = $3 AND l.launch_id > $4))';
const FIND = `SELECT ${PLAN_COLUMNS} FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND p.plan_id = $3`;
const LIST = `SELECT ${PLAN_COLUMNS} FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND ${AFTER} AND p.mode = ANY($5)
  ORDER BY l.created_at DESC, l.launch_id LIMIT $6`;
const COUNT_ATOMIC = `SELECT count(*)::int AS omitted FROM ${PLAN_AND_LAUNCH} WHERE ${OWNED} AND ${AFTER} AND p.mode = 'atomic'
  AND ($5::timestamptz IS NULL OR l.created_at > $5 OR (l.created_at = $5 AND l.launch_id <= $6))`;

/** Reads plans with their steps, in one statement. */
@Injectable()
export class PlanRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Finds a plan of this lineage and one of these wallets; null for absent and foreign plans. */
  async findOwned(planId: string, { lineageId, controllers }: PlanOwner): Promise<PlanRow | null> {
    const [row] = await this.database.query<StoredPlan>(FIND, [lineageId, controllers, planId], 'prepared');
    return row === undefined ? null : decodePlan(row);
  }

  /** Lists plans, the newest first; `after` is the last row of the previous page. Returns one row more than `limit` when more follow. */
  async listOwned(
    { lineageId, controllers }: PlanOwner,
    modes: readonly PlanMode[],
    limit: number,
    after: PlanPosition | null,
  ): Promise<readonly PlanRow[]> {
    const rows = await this.database.query<StoredPlan>(
      LIST,
      [lineageId, controllers, after?.createdAt ?? null, after?.planId ?? null, modes, limit + 1],
      'prepared',
    );
    return rows.map(decodePlan);
  }

  /** Counts Atomic plans after `after` up to `last`; without `last`, up to the end of the list. */
  async countAtomic(
    { lineageId, controllers }: PlanOwner,
    after: PlanPosition | null,
    last: PlanPosition | null,
  ): Promise<number> {
    const [row] = await this.database.query<{ readonly omitted: number }>(COUNT_ATOMIC, [
      lineageId,
      controllers,
      after?.createdAt ?? null,
      after?.planId ?? null,
      last?.createdAt ?? null,
      last?.planId ?? null,
    ]);
    return row?.omitted ?? 0;
  }
}
