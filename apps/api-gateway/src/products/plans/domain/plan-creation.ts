import { Inject, Injectable } from '@nestjs/common';
import { orderFindings } from '@launch/contracts/errors';
import { PLAN_PATHS } from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import { SUPERSEDABLE_STATUSES } from '@launch/contracts/states';
import { ApiError, refusal } from '@launch/http';
import type { Session } from '@launch/prisma-api-gateway';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { keyConflict } from '../../../core/launches/key-conflict.js';
import type { Admitted, LaunchCreation } from '../../../core/launches/launch-creation.js';
import { newLaunchOf } from '../../../core/launches/new-launch.js';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import {
  CustomLaunchJudge,
  nonceTaken,
  type JudgedCustomLaunchRequest,
} from '../../../core/launches/custom-launch/custom-launch.judge.js';
import { resumeUrlOf, tooOldFinding } from './plan.resource.js';
import { planForm, type PlanForm } from './plan-form.js';
import { RESUME_URL, SUPERSEDE, WRITE_PLAN } from './plan-creation.sql.js';

type Judged = JudgedCustomLaunchRequest<PlanForm>;
/** The row alone: a plan is shown with its steps, which are read after it. */
type Creation = LaunchCreation<Judged, StoredLaunch>;

/** `POST …/custom-launch-plans` (docs/reference/plans.md#transport). */
@Injectable()
export class PlanCreation {
  constructor(
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'ensureOpen'>,
    private readonly requests: CustomLaunchJudge,
  ) {}

  /** A create that is answered in a version. */
  under(version: PlanResponseVersion): Creation {
    const family = 'plan.v1';
    return {
      family,
      route: `POST ${PLAN_PATHS.create}`,
      variant: version,
      open: () => this.gates.ensureOpen(),
      judge: (body, digest, caller) => this.requests.judge(planForm, body, digest, caller),
      admit: (judged) => admitted(judged, version),
      nonceTaken,
      beside:
        ({ form }, planId, caller) =>
        (session) =>
          writePlan(session, form, planId, caller),
      replay({ bodySha256, launch }, digest) {
        if (bodySha256 === digest) return launch;
        throw keyConflict(digest, resumeUrlOf(launch.launchId));
      },
      resource: (launch) => launch,
    };
  }
}

/** Reports every fault of a request at once, including a plan that its version cannot show. */
function admitted(judged: Judged, version: PlanResponseVersion): Admitted {
  const { form, bytes } = judged;
  const tooOld = tooOldFinding(version, form.mode);
  const findings = tooOld === null ? judged.findings : [tooOld, ...judged.findings];
  const [first] = orderFindings(findings);
  if (first !== undefined) throw new ApiError(first.code, { findings });
  if (judged.nonceInUse) throw nonceTaken(judged);
  if (form.image === null) throw new TypeError('an admitted request has an image');
  return { bytes, image: form.image, launch: newLaunchOf(judged, form.image, null) };
}

/** The plan beside its launch, in the place of its predecessor. @throws ApiError `PREDECESSOR_MISMATCH`; then neither is written. */
async function writePlan(session: Session, form: PlanForm, planId: string, caller: Caller): Promise<void> {
  const { mode, planDigest, predecessor, steps } = form;
  if (predecessor !== null) await supersede(session, form, predecessor, caller);
  await session.query(WRITE_PLAN, [
    planId,
    mode,
    planDigest,
    resumeUrlOf(planId),
    predecessor?.planId ?? null,
    steps.map(({ stepId }) => stepId),
    steps.map(({ ordinal }) => ordinal),
    steps.map(({ kind }) => kind),
    steps.map((_, index) => steps[index - 1]?.stepId ?? null),
  ]);
}

type Predecessor = NonNullable<PlanForm['predecessor']>;

async function supersede(
  session: Session,
  { launchWallet }: PlanForm,
  { planId, planDigest }: Predecessor,
  { lineageId, controllers }: Caller,
): Promise<void> {
  const moved = await session.query(SUPERSEDE, [planId, planDigest, lineageId, launchWallet, SUPERSEDABLE_STATUSES]);
  if (moved.length > 0) return;
  const [seen] = await session.query(RESUME_URL, [planId, lineageId, controllers]);
  throw refusal(
    'PREDECESSOR_MISMATCH',
    '/predecessor',
    { expected: `a plan in ${SUPERSEDABLE_STATUSES.join(', ')} with this digest`, actual: planId },
    seen === undefined ? {} : { statusUrl: seen.resumeUrl },
  );
}
