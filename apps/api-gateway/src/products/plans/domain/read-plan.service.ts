import { Inject, Injectable } from '@nestjs/common';
import {
  canShowPlan,
  PLAN_MODES,
  PLAN_PATHS,
  planListOf,
  planResourceOf,
  type PlanView,
  type ShownPlan,
  type ShownPlanList,
} from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../../../core/gates/custom-launch-release.js';
import { idOrNil } from '../../../core/launches/path-ids.js';
import { CLOCK, SITE_URL, type Clock } from '../../../platform/tokens.js';
import { PlanRepository, type PlanPosition } from '../data/plan.repository.js';
import { planView, tooOldFinding } from './plan.resource.js';
import type { PlanRow } from '../data/plan.row.js';

/** A plan that a version of the answers cannot show. @throws ApiError `RESPONSE_VERSION_TOO_OLD` */
export function mustShow(version: PlanResponseVersion, mode: PlanRow['mode']): void {
  const tooOld = tooOldFinding(version, mode);
  if (tooOld !== null) throw new ApiError(tooOld.code, { findings: [tooOld] });
}

export interface PlanPage {
  readonly list: ShownPlanList;
  /** Atomic plans that the version leaves out between this page's ends; null for a version that shows them. */
  readonly omitted: number | null;
}

/** Reads plans by owner: a plan is visible only to its lineage and wallet. */
@Injectable()
export class ReadPlanService {
  constructor(
    @Inject(PlanRepository) private readonly plans: Pick<PlanRepository, 'findOwned' | 'listOwned' | 'countAtomic'>,
    private readonly cursors: CursorCodec,
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly release: CustomLaunchRelease,
    @Inject(SITE_URL) private readonly siteUrl: string | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `PLAN_NOT_FOUND` for absent, foreign and malformed ids: alike, and as late. */
  async find(caller: Caller, id: string): Promise<PlanRow> {
    const plan = await this.plans.findOwned(idOrNil(id), caller);
    if (plan === null) throw new ApiError('PLAN_NOT_FOUND');
    return plan;
  }

  /** @throws ApiError `PLAN_NOT_FOUND`; `RESPONSE_VERSION_TOO_OLD` for an Atomic plan under 1.0 and 1.1. */
  async read(caller: Caller, id: string, version: PlanResponseVersion): Promise<ShownPlan> {
    return this.show(await this.find(caller, id), caller, version);
  }

  /** @throws ApiError `RESPONSE_VERSION_TOO_OLD` */
  show(plan: PlanRow, caller: Caller, version: PlanResponseVersion): ShownPlan {
    mustShow(version, plan.mode);
    return planResourceOf(this.view(plan, caller), version);
  }

  /** Newest first. @throws ApiError `CURSOR_INVALID`, also for a cursor of a list with or without Atomic plans. */
  async list(caller: Caller, query: ListQuery, version: PlanResponseVersion): Promise<PlanPage> {
    const modes = PLAN_MODES.filter((mode) => canShowPlan(version, mode));
    const scope: CursorScope = {
      route: `GET ${PLAN_PATHS.list} ${modes.join('+')}`,
      reader: `${caller.lineageId} ${caller.controllers.join(' ')}`,
    };
    const after = query.cursor === undefined ? null : positionFrom(this.cursors.decode(scope, query.cursor));
    const rows = await this.plans.listOwned(caller, modes, query.limit, after);
    const page = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? (page.at(-1) ?? null) : null;
    const omitted = modes.length === PLAN_MODES.length ? null : await this.plans.countAtomic(caller, after, last);
    const nextCursor = last === null ? null : this.cursors.encode(scope, [last.createdAt.toISOString(), last.planId]);
    const views = page.map((plan) => this.view(plan, caller));
    return { list: planListOf(views, nextCursor, version), omitted };
  }

  private view(plan: PlanRow, caller: Caller): PlanView {
    const { siteUrl } = this;
    return planView(plan, { caller, nowMs: this.clock.now(), siteUrl, release: this.release.state() });
  }
}

function positionFrom(sortKey: readonly string[]): PlanPosition {
  const [createdAt, planId] = sortKey;
  if (createdAt === undefined || planId === undefined) throw new ApiError('CURSOR_INVALID');
  return { createdAt: new Date(createdAt), planId };
}
