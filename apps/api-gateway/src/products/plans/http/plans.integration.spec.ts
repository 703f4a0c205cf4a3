import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  planListSchema,
  planListV11Schema,
  planListV12Schema,
  planResourceSchema,
  planResourceV11Schema,
  planResourceV12Schema,
} from '@launch/contracts/plans';
import { PLAN_RESPONSE_VERSIONS, type PlanResponseVersion } from '@launch/contracts/launch';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call } from '../../../fixtures/http.client.js';
import {
  getPlans,
  planOwner,
  PLANS_PATH,
  RESPONSE_VERSION,
  planErrorOf,
  wholePlan,
  type PlanOwner,
} from '../../../fixtures/plan-owner.fixture.js';
import { authorizationOf, PLAN_CONTEXT } from '../../../fixtures/plan-rows.fixture.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import type { ReleaseState } from '../../../core/gates/custom-launch-release.js';

const SITE = 'https://site.example';
const RESOURCES = { '1.0': planResourceSchema, '1.1': planResourceV11Schema, '1.2': planResourceV12Schema };
const LISTS = { '1.0': planListSchema, '1.1': planListV11Schema, '1.2': planListV12Schema };

let gateway: Harness;
let release: ReleaseState;
beforeAll(async () => {
  release = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, contextHash: PLAN_CONTEXT } };
  gateway = await startHarness({
    siteUrl: SITE,
    customLaunchRelease: { state: () => release, context: () => release.bound!.context },
  });
});
afterAll(() => gateway.close());

describe('One plan', () => {
  it('A plan shows the same authorization in all versions, and each version is closed.', async () => {
    const { key, plan } = await planOwner(gateway);
    const written = await plan({ status: 'in_progress', steps: ['included', 'awaiting_signature'], offered: 2 });
    for (const version of PLAN_RESPONSE_VERSIONS) {
      const answer = await getPlans(gateway, `/${written.planId}`, key, version);
      expect([answer.status, answer.headers.get(RESPONSE_VERSION), answer.headers.get('cache-control')]).toEqual([
        200,
        version,
        'private, no-store',
      ]);
      const shown = RESOURCES[version].parse(answer.json);
      expect(shown).toMatchObject({
        planId: written.planId,
        planDigest: written.planDigest,
        status: 'in_progress',
        resumeUrl: `${PLANS_PATH}/${written.planId}`,
        expiresAt: new Date(written.deadline * 1_000).toISOString(),
      });
      expect(shown.steps.map(({ authorization }) => authorization)).toEqual([
        authorizationOf(written, 'sequential', 0),
        authorizationOf(written, 'sequential', 1),
        null,
      ]);
    }
    expect(await wholePlan(gateway, written.planId, key)).toMatchObject({
      progress: { completedSteps: 0, totalSteps: 3, nextStepId: 'deploy-hook' },
      launchUrl: `${SITE}/launches/${written.planId}`,
      walletUrl: `${SITE}/wallet/plans/${written.planId}`,
      continuation: null,
    });
  });

  it('An Atomic plan returns 422 under the versions that cannot show it, and is complete under 1.2.', async () => {
    const { key, plan } = await planOwner(gateway);
    const written = await plan({
      mode: 'atomic',
      status: 'awaiting_wallet',
      steps: ['awaiting_signature'],
      offered: 1,
    });
    for (const version of ['1.0', '1.1'] as const) {
      const answer = await getPlans(gateway, `/${written.planId}`, key, version);
      expect(planErrorOf(answer)).toEqual([422, 'RESPONSE_VERSION_TOO_OLD', version]);
      expect(answer.json.errors[0].expected).toBe('1.2');
    }
    expect((await wholePlan(gateway, written.planId, key)).steps[0]?.authorization).toEqual(
      authorizationOf(written, 'atomic', 0),
    );
  });

  it('An absent, foreign or malformed plan id returns the same error.', async () => {
    const [mine, other] = [await planOwner(gateway), await planOwner(gateway)];
    const { planId } = await other.plan();
    const bodies = [];
    for (const id of [planId, '00000000-0000-4000-8000-000000000000', 'x', planId.toUpperCase(), 'y'.repeat(3_000)]) {
      const answer = await getPlans(gateway, `/${id}`, mine.key);
      expect([id, ...planErrorOf(answer)]).toEqual([id, 422, 'PLAN_NOT_FOUND', '1.0']);
      bodies.push({ ...answer.json, requestId: '' });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(planErrorOf(await getPlans(gateway, `/${planId}`, undefined))).toEqual([401, 'UNAUTHENTICATED', '1.0']);
    const { key } = await gateway.issueKey(['custom-launch:create'], mine.controller);
    expect(planErrorOf(await getPlans(gateway, `/${planId}`, key))).toEqual([401, 'INSUFFICIENT_SCOPE', '1.0']);
  });
});

describe('A list of plans', () => {
  const START = Date.parse('2026-11-01T00:00:00.000Z');
  /** Newest first, as one character each: s sequential, a atomic. */
  async function listed(modes: string): Promise<PlanOwner & { readonly ids: readonly string[] }> {
    const of = await planOwner(gateway);
    const ids: string[] = [];
    for (const [at, mode] of [...modes].entries()) {
      const createdAt = new Date(START - at * 1_000);
      ids.push((await of.plan({ mode: mode === 'a' ? 'atomic' : 'sequential', createdAt })).planId);
    }
    return { ...of, ids };
  }

  it.each<[PlanResponseVersion, string, number, readonly (readonly [string, string | null])[]]>([
    [
      '1.0',
      'ssass',
      2,
      [
        ['01', '0'],
        ['34', '1'],
      ],
    ],
    [
      '1.1',
      'asasaa',
      1,
      [
        ['1', '1'],
        ['3', '3'],
      ],
    ],
    ['1.0', 'aaa', 25, [['', '3']]],
    [
      '1.2',
      'sas',
      2,
      [
        ['01', null],
        ['2', null],
      ],
    ],
    ['1.0', '', 25, [['', '0']]],
  ])('shows version %s the plans of the modes %j in pages of %i', async (version, modes, limit, pages) => {
    const { key, ids } = await listed(modes);
    let cursor: string | null = null;
    for (const [index, [expected, omitted]] of pages.entries()) {
      const query: string = `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
      const answer = await getPlans(gateway, `${query}`, key, version);
      const page = LISTS[version].parse(answer.json);
      expect([
        page.items.map(({ planId }) => ids.indexOf(planId)).join(''),
        answer.headers.get('service-launch-omitted'),
      ]).toEqual([expected, omitted]);
      expect(page.nextCursor === null).toBe(index === pages.length - 1);
      cursor = page.nextCursor;
    }
  });

  it.each([
    ['limit=0', 'QUERY_INVALID'],
    ['limit=01', 'QUERY_INVALID'],
    ['limit=26', 'QUERY_INVALID'],
    ['limit=1&limit=1', 'QUERY_INVALID'],
    ['mode=atomic', 'QUERY_INVALID'],
    ['cursor=', 'QUERY_INVALID'],
    [`cursor=${'c'.repeat(2_048)}`, 'CURSOR_INVALID'],
    [`cursor=${'c'.repeat(2_049)}`, 'QUERY_INVALID'],
    ['cursor=a%2Bb+c', 'CURSOR_INVALID'],
  ])('refuses the query %s with %s', async (query, code) => {
    const { key } = await planOwner(gateway);
    expect(planErrorOf(await getPlans(gateway, `?${query}`, key))).toEqual([422, code, '1.0']);
  });
});

it('Other methods of plan paths return 405 with Allow, and no path is mistaken for another.', async () => {
  const { key } = await planOwner(gateway);
  for (const [path, allow] of [
    [PLANS_PATH, 'GET, HEAD, POST, OPTIONS'],
    [`${PLANS_PATH}/x`, 'GET, HEAD, OPTIONS'],
    [`${PLANS_PATH}/x/steps/y/proofs`, 'POST, OPTIONS'],
  ] as const) {
    const answer = await call(`${gateway.url}${path}`, { key, method: 'DELETE' });
    expect([planErrorOf(answer), answer.headers.get('allow')]).toEqual([[405, 'METHOD_NOT_ALLOWED', '1.0'], allow]);
  }
  for (const path of [
    `${PLANS_PATH}/`,
    `${PLANS_PATH}/x/steps`,
    `${PLANS_PATH}/x/steps/y/proofs/z`,
    `${PLANS_PATH}:other`,
  ]) {
    const answer = await call(`${gateway.url}${path}`, { key });
    expect([path, answer.status, answer.json.error?.code]).toEqual([path, 404, 'NOT_FOUND']);
  }
});
