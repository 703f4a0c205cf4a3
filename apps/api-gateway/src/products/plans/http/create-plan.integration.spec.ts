import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PLAN_RESPONSE_VERSIONS, type PlanResponseVersion } from '@launch/contracts/launch';
import {
  type PlanMode,
  planPreflightSchema,
  type PlanRequest,
  planResourceSchema,
  planResourceV12Schema,
} from '@launch/contracts/plans';
import { canonicalSha256, keccak256Hex, LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { PLAN_STATUSES } from '@launch/contracts/states';
import { planOf } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-corpus.fixture.js';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { call, newKey, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { getPlans, PLANS_PATH, RESPONSE_VERSION, planErrorOf } from '../../../fixtures/plan-owner.fixture.js';
import { startCustomLaunchGateway, type CustomLaunchGateway } from '../../../fixtures/custom-launch-gateway.js';
import {
  freshCustomLaunch,
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
} from '../../../fixtures/custom-launch-request.js';

let gateway: CustomLaunchGateway;
beforeAll(async () => {
  gateway = await startCustomLaunchGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.settle());

/** A whole plan whose window is open now, after the change of a test; the result may be invalid. */
function freshPlan(mode: PlanMode = 'sequential', change: (plan: any) => void = () => undefined): PlanRequest {
  const plan = planOf(freshCustomLaunch(), mode);
  change(plan);
  return plan;
}
interface Sent {
  readonly as?: string;
  readonly key?: string;
  readonly version?: PlanResponseVersion;
}
const post = (
  path: string,
  body: Uint8Array | string,
  { as = newKey(), key = gateway.key, version = '1.0' }: Sent = {},
) =>
  call(`${gateway.url}${PLANS_PATH}${path}`, {
    key,
    body,
    headers: { 'idempotency-key': as, [RESPONSE_VERSION]: version },
  });
const create = (body: Uint8Array | string, sent?: Sent): Promise<Answer> => post('', body, sent);
const preflight = (body: Uint8Array | string, sent?: Sent): Promise<Answer> => post(':preflight', body, sent);
async function created(plan = freshPlan(), sent: Sent = {}) {
  const answer = await create(bodyBytes(plan), { version: '1.2', ...sent });
  expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('planId')]);
  return planResourceV12Schema.parse(answer.json);
}
const counts = async () => [
  await gateway.countOf('launch'),
  await gateway.countOf('plan'),
  await gateway.countOf('plan_step'),
];

describe('A create', () => {
  it('is durable before its response: the bytes as sent, the plan, its steps and its admission', async () => {
    const { schemaVersion, ...rest } = freshPlan();
    const body = Buffer.from(` ${JSON.stringify({ ...rest, schemaVersion }, null, 2)}\n`);
    const answer = await create(body);
    const resource = planResourceSchema.parse(answer.json);
    expect([answer.status, resource]).toMatchObject([
      202,
      {
        status: 'admission_pending',
        planDigest: canonicalSha256({ ...rest, schemaVersion }),
        requestSha256: sha256Digest(body),
        launchWallet: CUSTOM_LAUNCH_WALLET,
        resumeUrl: `${PLANS_PATH}/${resource.planId}`,
        findings: [],
      },
    ]);
    const stepIds = [...rest.graphBundle.components.map(({ componentId }) => `deploy-${componentId}`), 'register'];
    expect(resource.steps.map(({ stepId, dependsOn, status }) => [stepId, dependsOn, status])).toEqual(
      stepIds.map((stepId, index) => [stepId, index === 0 ? [] : [stepIds[index - 1]], 'blocked']),
    );
    expect([answer.headers.get('location'), answer.headers.has('idempotency-replayed')]).toEqual([
      resource.resumeUrl,
      false,
    ]);
    expect(Buffer.from(await gateway.blobs.get(resource.requestSha256)).equals(body)).toBe(true);
    expect((await getPlans(gateway, `/${resource.planId}`, gateway.key)).json).toEqual(answer.json);
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({
      ref: {
        launchId: resource.planId,
        family: 'plan.v1',
        contextHash: CUSTOM_LAUNCH_CONTEXT_HASH,
        requestHash: keccak256Hex(body),
      },
    });
  });

  it('is accepted once when sixteen identical ones arrive together', async () => {
    const [body, as] = [bodyBytes(freshPlan()), newKey()];
    const answers = await Promise.all(Array.from({ length: 16 }, () => create(body, { as })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(15).fill(200), 202]);
    expect(new Set(answers.map(({ json }) => json.planId)).size).toBe(1);
  });

  it('is replayed in every state, with closed gates and by a rotated key, and returns 409 for other bytes', async () => {
    const { credentialId, key } = await gateway.issueKey(
      ['custom-launch:create', 'custom-launch:read'],
      CUSTOM_LAUNCH_WALLET,
    );
    const [plan, as] = [freshPlan(), newKey()];
    const { planId, resumeUrl } = await created(plan, { as, key });
    const rotated = (await gateway.credentials.rotate(credentialId, 60))!.key;
    await gateway.setGates(false);
    try {
      for (const status of PLAN_STATUSES) {
        await gateway.rewrite(planId, { status });
        const replay = await create(bodyBytes(plan), { as, key: rotated });
        expect([replay.status, replay.json.status, replay.json.planId]).toEqual([200, status, planId]);
        expect([replay.headers.get('idempotency-replayed'), replay.headers.get('location')]).toEqual([
          'true',
          resumeUrl,
        ]);
      }
      const other = await create(bodyBytes(freshPlan()), { as, key: rotated });
      expect([planErrorOf(other), other.json.statusUrl]).toEqual([[409, 'IDEMPOTENCY_CONFLICT', '1.0'], resumeUrl]);
      for (const refused of [await create(bodyBytes(freshPlan())), await preflight(bodyBytes(freshPlan()))])
        expect([planErrorOf(refused), refused.json.retryable]).toEqual([[503, 'LAUNCH_GATES_CLOSED', '1.0'], true]);
    } finally {
      await gateway.setGates(true);
    }
  });

  it('of an Atomic plan needs version 1.2 and is otherwise refused before anything is stored, also with concurrent requests', async () => {
    const [body, as] = [bodyBytes(freshPlan('atomic')), newKey()];
    const before = await counts();
    for (const version of ['1.0', '1.1'] as const)
      expect(planErrorOf(await create(body, { as, version }))).toEqual([422, 'RESPONSE_VERSION_TOO_OLD', version]);
    expect(await counts()).toEqual(before);
    const [old, current] = await Promise.all([create(body, { as }), create(body, { as, version: '1.2' })]);
    expect([planErrorOf(old!)[1], current!.status]).toEqual(['RESPONSE_VERSION_TOO_OLD', 202]);
    const resource = planResourceV12Schema.parse(current!.json);
    expect(resource.steps.map(({ stepId, kind }) => [stepId, kind])).toEqual([['atomic-launch', 'atomic_launch']]);
    expect(planErrorOf(await create(body, { as, version: '1.1' }))).toEqual([422, 'RESPONSE_VERSION_TOO_OLD', '1.1']);
    const replay = await create(body, { as, version: '1.2' });
    expect([replay.status, replay.json]).toEqual([200, current!.json]);
  });

  // An unread body is short here: the client of a long one keeps its connection past the suite.
  it('without an idempotency key, or with an invalid one, returns 422', async () => {
    const bare = await call(`${gateway.url}${PLANS_PATH}`, { key: gateway.key, body: '{}' });
    expect(planErrorOf(bare)).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED', '1.0']);
    expect(planErrorOf(await create('{}', { as: 'short' }))[1]).toBe('IDEMPOTENCY_KEY_INVALID');
  });

  it('that is one byte larger than 16 MiB returns 422 before the body is complete', async () => {
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
      'content-length': String(LIMITS.requestBytes + 1),
    };
    const answer = await rawCall(gateway.url, { method: 'POST', path: PLANS_PATH, headers });
    expect(planErrorOf(answer)).toEqual([422, 'REQUEST_TOO_LARGE', '1.0']);
  });

  it.each<[string, (plan: any) => void, string]>([
    ['another mode', (one) => (one.mode = 'parallel'), 'SCHEMA_INVALID'],
    ['a wrong sum', (one) => (one.funding.totalValueWei = '1'), 'FUNDING_TOTAL_MISMATCH'],
  ])('with %s returns 422 and leaves its key free', async (_what, change, code) => {
    const [before, as] = [await counts(), newKey()];
    const refused = planErrorOf(await create(bodyBytes(freshPlan('sequential', change)), { as }));
    expect([refused[0], String(refused[1]).split(',')]).toEqual([422, expect.arrayContaining([code])]);
    expect(await counts()).toEqual(before);
    await created(freshPlan(), { as });
  });

  it('with a reserved nonce returns 422', async () => {
    const plan = freshPlan();
    await created(plan);
    expect(planErrorOf(await create(bodyBytes(plan)))).toEqual([422, 'NONCE_IN_USE', '1.0']);
  });
});

describe('A predecessor', () => {
  const following = (predecessor: unknown) => freshPlan('sequential', (plan) => (plan.predecessor = predecessor));

  it.each(['action_required', 'failed', 'expired'] as const)('in %s is superseded by one successor', async (status) => {
    const { planId, planDigest, resumeUrl } = await created();
    await gateway.rewrite(planId, { status });
    const predecessor = { planId, planDigest };
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(bodyBytes(following(predecessor)))));
    const accepted = answers.filter((answer) => answer.status === 202);
    expect(accepted).toHaveLength(1);
    for (const refused of answers.filter((answer) => answer.status !== 202))
      expect([planErrorOf(refused), refused.json.statusUrl, refused.json.errors[0].path]).toEqual([
        [409, 'PREDECESSOR_MISMATCH', '1.0'],
        resumeUrl,
        '/predecessor',
      ]);
    const before = planResourceV12Schema.parse((await getPlans(gateway, `/${planId}`, gateway.key, '1.2')).json);
    expect(before).toMatchObject({
      status: 'superseded',
      continuation: { reason: status, advice: expect.stringContaining(accepted[0]!.json.planId) },
    });
  });

  it('that is open, finalized, unknown or has another digest returns 409, stores nothing and leaves the key free', async () => {
    const living = await created();
    const finalized = await created();
    await gateway.rewrite(finalized.planId, { status: 'finalized' });
    const failed = await created();
    await gateway.rewrite(failed.planId, { status: 'failed' });
    const as = newKey();
    const before = await counts();
    for (const [predecessor, statusUrl] of [
      [{ planId: living.planId, planDigest: living.planDigest }, living.resumeUrl],
      [{ planId: finalized.planId, planDigest: finalized.planDigest }, finalized.resumeUrl],
      [{ planId: failed.planId, planDigest: living.planDigest }, failed.resumeUrl],
      [{ planId: '00000000-0000-4000-8000-000000000000', planDigest: living.planDigest }, null],
    ] as const) {
      const refused = await create(bodyBytes(following(predecessor)), { as });
      expect([planErrorOf(refused), refused.json.statusUrl]).toEqual([[409, 'PREDECESSOR_MISMATCH', '1.0'], statusUrl]);
    }
    // Of another lineage of the same wallet: it may not even be seen.
    const { key } = await gateway.issueKey(['custom-launch:create'], CUSTOM_LAUNCH_WALLET);
    const foreign = following({ planId: failed.planId, planDigest: failed.planDigest });
    const refused = await create(bodyBytes(foreign), { key });
    expect([planErrorOf(refused)[1], refused.json.statusUrl]).toEqual(['PREDECESSOR_MISMATCH', null]);
    expect(await counts()).toEqual(before);
    await created(following({ planId: failed.planId, planDigest: failed.planDigest }), { as });
  });
});

describe('A preflight of a plan', () => {
  it.each(PLAN_RESPONSE_VERSIONS)('reports the outcome of a create, and stores nothing (%s)', async (version) => {
    const before = await counts();
    const plan = freshPlan('atomic');
    const body = bodyBytes(plan);
    const answer = await preflight(body, { version });
    expect([answer.status, answer.headers.get(RESPONSE_VERSION)]).toEqual([200, version]);
    expect(planPreflightSchema.parse(answer.json)).toMatchObject({
      requestSha256: sha256Digest(body),
      requestHash: keccak256Hex(body),
      planDigest: canonicalSha256(plan),
      launchEligibility: { deployable: true, disposition: 'deployable' },
      findings: [],
      steps: [{ stepId: 'atomic-launch', ordinal: 0, kind: 'atomic_launch' }],
      budgets: { valueWei: plan.funding.totalValueWei, gasUpperBoundWei: null, l1DataGasWei: null },
      checkpoint: plan.checkpoint,
      warnings: [{ code: 'TX_SIMULATION_PENDING' }],
      persisted: false,
    });
    expect(await counts()).toEqual(before);
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({ ref: { launchId: null, family: 'plan.v1' } });
  });

  it('needs the scope, and its path is not the path of a plan', async () => {
    const { key } = await gateway.issueKey(['custom-launch:read'], CUSTOM_LAUNCH_WALLET);
    expect(planErrorOf(await preflight('{}', { key }))).toEqual([401, 'INSUFFICIENT_SCOPE', '1.0']);
    const read = await getPlans(gateway, ':preflight', gateway.key);
    expect([planErrorOf(read), read.headers.get('allow')]).toEqual([
      [405, 'METHOD_NOT_ALLOWED', '1.0'],
      'POST, OPTIONS',
    ]);
    const encoded = await post('%3Apreflight', '{}');
    expect([encoded.status, encoded.json.error?.code]).toEqual([404, 'NOT_FOUND']);
  });
});
