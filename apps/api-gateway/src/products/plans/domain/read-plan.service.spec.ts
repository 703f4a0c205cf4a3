import { describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { PLAN_RESPONSE_VERSIONS, type PlanResponseVersion } from '@launch/contracts/launch';
import { planResourceSchema, planResourceV11Schema, planResourceV12Schema } from '@launch/contracts/plans';
import { CursorCodec } from '@launch/http';
import { Secret } from '@launch/platform';
import type { ReleaseState } from '../../../core/gates/custom-launch-release.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { authorizationOf, PLAN_CONTEXT } from '../../../fixtures/plan-rows.fixture.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { testPlan, type TestPlanChoice } from '../../../fixtures/test-plan.js';
import type { PlanRow } from '../data/plan.row.js';
import { ReadPlanService } from './read-plan.service.js';

const SITE = 'https://site.example';
const SERVED: ReleaseState = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, contextHash: PLAN_CONTEXT } };
const RESOURCES = { '1.0': planResourceSchema, '1.1': planResourceV11Schema, '1.2': planResourceV12Schema };

/** Returns reads of plans whose rows are in memory, newest first. */
function reads(rows: readonly PlanRow[], release: ReleaseState = SERVED) {
  const { lineageId } = testCaller();
  return new ReadPlanService(
    {
      findOwned: async (planId, owner) =>
        owner.readsLineageId === lineageId ? (rows.find((one) => one.planId === planId) ?? null) : null,
      async listOwned(_owner, modes, limit, after) {
        const shown = rows.filter(({ mode }) => modes.includes(mode));
        const start = after === null ? 0 : shown.findIndex(({ planId }) => planId === after.planId) + 1;
        return shown.slice(start, start + limit + 1);
      },
      countAtomic: async () => rows.filter(({ mode }) => mode === 'atomic').length,
    },
    new CursorCodec(new Secret('a key of cursors')),
    { state: () => release, context: () => null },
    SITE,
    { now: () => Date.now() },
  );
}
/** Returns a plan's view as its bytes show it. */
async function shown(choice: TestPlanChoice, version: PlanResponseVersion = '1.2', release = SERVED) {
  const { plan, row } = testPlan(choice);
  const text = canonicalJsonText(await reads([row], release).read(testCaller(), row.planId, version));
  return { plan, row, json: JSON.parse(text) as unknown };
}
const whole = async (choice: TestPlanChoice, release?: ReleaseState) => {
  const { json, ...rest } = await shown(choice, '1.2', release);
  return { ...rest, view: planResourceV12Schema.parse(json) };
};

describe('A plan', () => {
  it.each(PLAN_RESPONSE_VERSIONS)('shows the same authorization in the closed version %s', async (version) => {
    const choice: TestPlanChoice = {
      status: 'in_progress',
      steps: ['included', 'awaiting_signature'],
      offered: 2,
    };
    const { plan, row, json } = await shown(choice, version);
    const view = RESOURCES[version].parse(json);
    expect(view).toMatchObject({
      planId: plan.planId,
      planDigest: plan.planDigest,
      status: 'in_progress',
      resumeUrl: row.resumeUrl,
      expiresAt: new Date(plan.deadline * 1_000).toISOString(),
    });
    expect(view.steps.map(({ authorization }) => authorization)).toEqual([
      authorizationOf(plan, 'sequential', 0),
      authorizationOf(plan, 'sequential', 1),
      null,
    ]);
  });

  it('shows its progress and the page of its wallet', async () => {
    const { row, view } = await whole({
      status: 'in_progress',
      steps: ['included', 'awaiting_signature'],
      offered: 2,
    });
    expect(view).toMatchObject({
      progress: { completedSteps: 0, totalSteps: 3, nextStepId: 'deploy-hook' },
      launchUrl: `${SITE}/launches/${row.planId}`,
      walletUrl: `${SITE}/wallet/plans/${row.planId}`,
      continuation: null,
    });
  });

  it('of mode Atomic is refused under the versions that cannot show it, and is complete under 1.2', async () => {
    const choice: TestPlanChoice = {
      mode: 'atomic',
      status: 'awaiting_wallet',
      steps: ['awaiting_signature'],
      offered: 1,
    };
    for (const version of ['1.0', '1.1'] as const) {
      const refused = await refusalOfWork(() => shown(choice, version));
      expect([refused.code, refused.findings[0]?.expected]).toEqual(['RESPONSE_VERSION_TOO_OLD', '1.2']);
    }
    const { plan, view } = await whole(choice);
    expect(view.steps[0]?.authorization).toEqual(authorizationOf(plan, 'atomic', 0));
  });

  it('is not found under an absent or malformed id, or by another lineage', async () => {
    const { row } = testPlan();
    const refused = async (id: string, caller = testCaller()) =>
      (await refusalOfWork(() => reads([row]).read(caller, id, '1.2'))).code;
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', row.planId.toUpperCase(), 'y'.repeat(3_000)])
      expect([id, await refused(id)]).toEqual([id, 'PLAN_NOT_FOUND']);
    expect(await refused(row.planId, testCaller({ lineageId: 'another lineage' }))).toBe('PLAN_NOT_FOUND');
  });

  it.each<[string, TestPlanChoice, readonly boolean[]]>([
    ['before it is offered', { status: 'awaiting_wallet' }, [false, false, false]],
    ['while it waits', { status: 'awaiting_wallet', steps: ['awaiting_signature'], offered: 1 }, [true, false, false]],
    ['of a named step', { status: 'in_progress', steps: ['proof_received'], offered: 1 }, [true, false, false]],
    [
      'after a reorganisation removed its predecessor',
      { status: 'in_progress', steps: ['proof_received', 'blocked'], offered: 2 },
      [true, false, false],
    ],
    [
      'after the window, except for steps in the chain',
      { status: 'in_progress', steps: ['included', 'awaiting_signature'], offered: 2, deadline: 1_001 },
      [true, false, false],
    ],
    [
      'of a plan that ended',
      { status: 'failed', steps: ['reverted', 'awaiting_signature'], offered: 2 },
      [true, false, false],
    ],
    ['of an expired step', { status: 'expired', steps: ['finalized', 'expired'], offered: 2 }, [true, false, false]],
    [
      'of a finalized plan',
      { status: 'finalized', steps: ['finalized', 'finalized', 'finalized'], offered: 3 },
      [true, true, true],
    ],
  ])('shows or hides an authorization %s', async (_when, choice, expected) => {
    const { steps, launchUrl, walletUrl, planId } = (await whole(choice)).view;
    expect(steps.map(({ authorization }) => authorization !== null)).toEqual(expected);
    const asks = steps.some(
      ({ status, authorization }) =>
        authorization !== null && ['awaiting_signature', 'proof_received'].includes(status),
    );
    expect([launchUrl, walletUrl !== null]).toEqual([`${SITE}/launches/${planId}`, asks]);
  });

  it('shows no authorization to a key that can only create', async () => {
    const { row } = testPlan({ status: 'awaiting_wallet', steps: ['awaiting_signature'], offered: 1 });
    const caller = testCaller({ scopes: ['custom-launch:create'] });
    const view = planResourceV12Schema.parse(
      JSON.parse(canonicalJsonText(await reads([row]).read(caller, row.planId, '1.2'))),
    );
    expect(view.steps[0]?.authorization).toBeNull();
  });

  it.each<[string, TestPlanChoice, ReleaseState['bound'] | 'same', string | null]>([
    ['goes on under the published context', { status: 'in_progress' }, 'same', null],
    ['is finalized, published or not', { status: 'finalized' }, null, null],
    ['is of an earlier context', { status: 'in_progress' }, { ...RELEASE_EXAMPLE.bound! }, 'context_superseded'],
    ['is of no published context', { status: 'awaiting_wallet' }, null, 'context_superseded'],
    [
      'is of another profile',
      { status: 'awaiting_wallet' },
      { ...RELEASE_EXAMPLE.bound!, profile: '4.0.0' },
      'profile_superseded',
    ],
    ['expired', { status: 'expired' }, 'same', 'expired'],
    ['failed', { status: 'failed' }, 'same', 'failed'],
    ['was refused', { status: 'action_required' }, 'same', 'action_required'],
    ['expired and has a successor', { status: 'superseded', statusReason: 'expired' }, 'same', 'expired'],
  ])('that %s names its continuation', async (_what, choice, bound, reason) => {
    const { plan, view } = await whole(choice, bound === 'same' ? SERVED : { ...SERVED, bound });
    const { planId, planDigest } = plan;
    const { continuation } = view;
    expect(continuation === null ? null : [continuation.reason, continuation.successorPredecessor]).toEqual(
      reason === null ? null : [reason, { planId, planDigest }],
    );
  });
});

describe('A list of plans', () => {
  it('accepts only cursors of its lineage and kind of list, from any version', async () => {
    const service = reads(Array.from({ length: 3 }, () => testPlan().row));
    const { list } = await service.list(testCaller(), { limit: 1 }, '1.0');
    const query = { limit: 1, cursor: list.nextCursor ?? '' };
    expect((await service.list(testCaller(), query, '1.1')).list.items).toHaveLength(1);
    const refused = async (version: PlanResponseVersion, caller = testCaller(), cursor = query.cursor) =>
      (await refusalOfWork(() => service.list(caller, { limit: 1, cursor }, version))).code;
    expect(await refused('1.2')).toBe('CURSOR_INVALID');
    expect(await refused('1.0', testCaller({ lineageId: 'another lineage' }))).toBe('CURSOR_INVALID');
    expect(await refused('1.0', testCaller(), `${query.cursor}x`)).toBe('CURSOR_INVALID');
  });

  it('counts the Atomic plans that a version omits, and none if the version shows them', async () => {
    const service = reads([testPlan().row, testPlan({ mode: 'atomic' }).row]);
    const page = async (version: PlanResponseVersion) => {
      const { list, omitted } = await service.list(testCaller(), { limit: 25 }, version);
      return [list.items.length, omitted];
    };
    expect(await page('1.0')).toEqual([1, 1]);
    expect(await page('1.2')).toEqual([2, null]);
  });
});
