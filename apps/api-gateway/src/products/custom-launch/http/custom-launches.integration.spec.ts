import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CUSTOM_LAUNCHES_PATH,
  customLaunchErrorBodySchema,
  customLaunchResourceSchema,
} from '@launch/contracts/custom-launch';
import { LIMITS } from '@launch/contracts/primitives';
import { CUSTOM_LAUNCH_STATUSES } from '@launch/contracts/states';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import type { Scope } from '../../../core/accounts/credentials/caller.js';
import { call, codeOf as plainCodeOf, newKey, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { requestBytes, testRequest } from '../../../fixtures/test-request.js';
import { detailedFindings } from '../../../fixtures/detailed-findings.js';
import {
  freshCustomLaunch,
  startCustomLaunchGateway,
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
  type CustomLaunchGateway,
} from '../../../fixtures/custom-launch-gateway.js';

let gateway: CustomLaunchGateway;
/** Returns the code of an answer, after checking that its findings are complete. */
function codeOf(answer: Answer): string {
  detailedFindings(answer);
  return plainCodeOf(answer);
}
beforeAll(async () => {
  gateway = await startCustomLaunchGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.settle());
const issue = (scopes: readonly Scope[], controller: string = CUSTOM_LAUNCH_WALLET) =>
  gateway.issueKey(scopes, controller);
const created = async (
  body = bodyBytes(freshCustomLaunch()),
): Promise<{ launchId: string; idempotencyKey: string }> => {
  const idempotencyKey = newKey();
  const answer = await gateway.create(body, idempotencyKey);
  expect([answer.status, codeOf(answer)]).toEqual([202, expect.stringContaining('202')]);
  return { launchId: answer.json.launchId, idempotencyKey };
};

describe('a create', () => {
  it('is durable before it is answered: the bytes as sent, the launch, its admission', async () => {
    const { schemaVersion, ...rest } = freshCustomLaunch();
    const body = Buffer.from(`  ${JSON.stringify({ ...rest, schemaVersion }, null, 2)}\n`);
    const answer = await gateway.create(body);
    expect([answer.status, codeOf(answer)]).toEqual([202, expect.stringContaining('202')]);
    const resource = customLaunchResourceSchema.parse(answer.json);
    expect(resource).toMatchObject({
      status: 'admitting',
      profile: '4.1.0',
      launchWallet: CUSTOM_LAUNCH_WALLET,
      handoff: null,
      failure: null,
      transactions: [],
      finality: { stage: 'pending', observation: null },
      sourceVerification: { status: 'pending' },
      publication: { status: 'not_published' },
      budgets: rest.budgets,
    });
    expect(resource.sourceVerification.components.map(({ componentId }) => componentId)).toEqual(
      rest.graphBundle.components.map(({ componentId }) => componentId),
    );
    expect([answer.headers.get('location'), answer.headers.has('idempotency-replayed')]).toEqual([
      resource.links.statusUrl,
      false,
    ]);
    expect(Buffer.from(await gateway.blobs.get(resource.requestSha256)).equals(body)).toBe(true);
    expect((await call(`${gateway.url}${resource.links.self}`, { key: gateway.key })).json).toEqual(answer.json);
    expect(gateway.workflows.admissions).toContain(resource.launchId);
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({
      ref: { launchId: resource.launchId, family: 'custom-launch.v4', contextHash: CUSTOM_LAUNCH_CONTEXT_HASH },
    });
  });

  it('has one winner among sixteen at once', async () => {
    const [body, idempotencyKey] = [bodyBytes(freshCustomLaunch()), newKey()];
    const answers = await Promise.all(Array.from({ length: 16 }, () => gateway.create(body, idempotencyKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(15).fill(200), 202]);
    expect(new Set(answers.map(({ json }) => json.launchId)).size).toBe(1);
  });

  it('is replayed in every state, with its current resource', async () => {
    const body = bodyBytes(freshCustomLaunch());
    const { launchId, idempotencyKey } = await created(body);
    for (const status of CUSTOM_LAUNCH_STATUSES) {
      await gateway.rewrite(launchId, { status });
      const replay = await gateway.create(body, idempotencyKey);
      expect([replay.status, replay.json.status, replay.json.launchId]).toEqual([200, status, launchId]);
      expect([replay.headers.get('idempotency-replayed'), replay.headers.get('location')]).toEqual([
        'true',
        `${CUSTOM_LAUNCHES_PATH}/${launchId}`,
      ]);
    }
    const other = await gateway.create(bodyBytes(freshCustomLaunch()), idempotencyKey);
    expect([other.status, codeOf(other), other.json.error.statusUrl]).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
      `${CUSTOM_LAUNCHES_PATH}/${launchId}`,
    ]);
  });

  it('is counted together with launches of the other family toward the unfinished launches of a lineage', async () => {
    const narrow = await startCustomLaunchGateway({ beside: gateway, limits: { unfinishedLaunches: 1 } });
    try {
      const own = await narrow.issueKey(['custom-launch:create'], CUSTOM_LAUNCH_WALLET);
      const send = (base: string, body: Uint8Array) =>
        call(base, { key: own.key, body, headers: { 'idempotency-key': newKey() } });
      expect((await send(`${narrow.urlOf()}`, bodyBytes(freshCustomLaunch()))).status).toBe(202);
      const second = testRequest({
        nonce: '77',
        change: (request) => void (request.launchWallet = CUSTOM_LAUNCH_WALLET),
      });
      expect(codeOf(await send(narrow.base, requestBytes(second)))).toBe('RATE_LIMITED');
    } finally {
      await narrow.close();
    }
  });
});

describe('a create with a fault of form', () => {
  it.each<[string, (request: any) => void, string]>([
    [
      'profile 4.0 under 4.1',
      (one) =>
        Object.assign(
          one,
          { schemaVersion: 'service.custom-launch-create-request.v4.0', profile: '4.0.0' },
          zeroBuy(one),
        ),
      'PROFILE_NOT_CURRENT /profile',
    ],
    ['another context', (one) => (one.contextHash = `0x${'9'.repeat(64)}`), 'CONTEXT_NOT_CURRENT /contextHash'],
    [
      'a window that is over',
      (one) => (one.permitWindow = { validAfter: '1', deadline: '2' }),
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID /permitWindow/deadline',
    ],
    ['no buy', (one) => zeroBuy(one), 'FUNDING_PROFILE_MISMATCH /funding/kind'],
    [
      'a module',
      (one) => (one.moduleSelections = [{ familyId: 'a', version: '1' }]),
      'CUSTOM_LAUNCH_EVIDENCE_REQUIRED /moduleSelections',
    ],
    [
      'an LP fee',
      (one) => (one.graphBundle.officialPool.poolKey.fee = 3_000),
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/fee',
    ],
    [
      'another pair',
      (one) => (one.graphBundle.officialPool.poolKey.currency0 = `0x${'1'.repeat(40)}`),
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/currency0',
    ],
    ['a wrong total', (one) => (one.funding.totalValueWei = '1'), 'FUNDING_TOTAL_MISMATCH /funding/totalValueWei'],
    [
      'a fee that is not the platform’s',
      (one) => (one.funding.platformFeeWei = '1'),
      'FUNDING_INVALID /funding/platformFeeWei',
    ],
    [
      'too small a budget',
      (one) => (one.budgets.maxLaunchValueWei = '1'),
      'BUDGET_EXCEEDED /budgets/maxLaunchValueWei',
    ],
    ['another image', (one) => (one.projectMetadata.image.width += 1), 'IMAGE_MISMATCH /projectMetadata/image/width'],
    [
      'a contract that is token and hook',
      (one) => (one.graphBundle.components[0].roleMask = 3),
      'SCHEMA_INVALID /graphBundle/components/0/roleMask',
    ],
    ['no pool', (one) => (one.graphBundle.officialPool = null), 'SCHEMA_INVALID /graphBundle/officialPool'],
    ['an unknown member', (one) => (one.more = 1), 'SCHEMA_UNKNOWN_FIELD /more'],
  ])('%s is 422 and binds no key', async (_title, change, expected) => {
    const launches = await gateway.countOf('launch');
    const idempotencyKey = newKey();
    const answer = await gateway.create(bodyBytes(freshCustomLaunch(change)), idempotencyKey);
    const { error } = customLaunchErrorBodySchema.parse(answer.json);
    expect([answer.status, error.findings.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      422,
      expect.arrayContaining([expect.stringContaining(expected)]),
    ]);
    expect(error.code).toBe(error.findings[0]?.code);
    expect([
      await gateway.countOf('launch'),
      (await gateway.create(bodyBytes(freshCustomLaunch()), idempotencyKey)).status,
    ]).toEqual([launches, 202]);
  });

  it('reports all of them at once, with the stale checkpoint', async () => {
    gateway.chain.held = { kind: 'stale', problem: 'TOO_OLD' };
    const answer = await gateway.create(
      bodyBytes(
        freshCustomLaunch((one) => {
          one.contextHash = `0x${'9'.repeat(64)}`;
          one.funding.totalValueWei = '1';
        }),
      ),
    );
    expect([answer.status, answer.json.error.findings.map(({ code }: { code: string }) => code)]).toEqual([
      422,
      ['CHECKPOINT_STALE', 'CONTEXT_NOT_CURRENT', 'FUNDING_TOTAL_MISMATCH'],
    ]);
  });

  it.each<[string, string | Buffer, number, string]>([
    ['a duplicate member', '{"a":1,"a":2}', 400, 'JSON_DUPLICATE_KEY'],
    ['something after the value', '{} {}', 400, 'JSON_TRAILING_DATA'],
    ['a byte order mark', '\ufeff{}', 400, 'JSON_SYNTAX'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'JSON_INVALID_UTF8'],
    ['no bytes', '', 400, 'JSON_EMPTY'],
    ['another schema', '{"schemaVersion":"service.custom-launch-plan.v1"}', 422, 'SCHEMA_INVALID'],
  ])('%s is refused at create and preflight', async (_title, body, status, code) => {
    for (const answer of [await gateway.create(body), await gateway.preflight(body)])
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('of one byte more than 16 MiB is 413 before it is sent', async () => {
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
      'content-length': String(LIMITS.requestBytes + 1),
    };
    const answer = await rawCall(gateway.url, { method: 'POST', path: CUSTOM_LAUNCHES_PATH, headers });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });
});

/** Returns the funding of a launch without a buy. */
function zeroBuy(request: any): object {
  Object.assign(request.funding, {
    kind: 'none',
    initialBuyWei: '0',
    minimumTokensOut: '0',
    platformFeeWei: '0',
    totalValueWei: '0',
  });
  return {};
}

describe('the chain checks of a create', () => {
  it('answer 503 for a checkpoint that cannot be judged, and 409 for a used nonce', async () => {
    gateway.chain.held = { kind: 'indeterminate', reason: 'away' };
    const undecided = await gateway.create(bodyBytes(freshCustomLaunch()));
    expect([undecided.status, codeOf(undecided), undecided.json.error.retryable]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
    ]);
    gateway.chain.held = { kind: 'held' };
    gateway.chain.agrees = false;
    expect(codeOf(await gateway.create(bodyBytes(freshCustomLaunch())))).toBe('SERVICE_UNAVAILABLE');
    gateway.chain.agrees = true;
    const used = freshCustomLaunch();
    gateway.chain.used.add(`${CUSTOM_LAUNCH_WALLET} ${used.nonce}`);
    const taken = await gateway.create(bodyBytes(used));
    expect([taken.status, taken.json.error.findings[0]]).toMatchObject([409, { code: 'NONCE_IN_USE', path: '/nonce' }]);
  });

  it('allow one launch for each nonce', async () => {
    const body = freshCustomLaunch();
    await created(bodyBytes(body));
    expect(codeOf(await gateway.create(bodyBytes(body)))).toBe('NONCE_IN_USE');
  });
});

describe('a key', () => {
  it('needs the scope, the grant and the wallet, and each has its own refusal', async () => {
    const reader = await issue(['custom-launch:read']);
    const creator = await issue(['custom-launch:create']);
    const foreign = await issue(['custom-launch:create'], `0x${'4'.repeat(40)}`);
    const ungranted = await gateway.credentials.issue({
      controller: CUSTOM_LAUNCH_WALLET,
      scopes: ['custom-launch:create', 'custom-launch:read'],
      chains: [],
      label: null,
      expiresAt: null,
    });
    const body = bodyBytes(freshCustomLaunch());
    const refusals = async (as: string): Promise<string[]> =>
      (
        await Promise.all([
          gateway.create(body, newKey(), as),
          gateway.preflight(body, as),
          call(gateway.urlOf(), { key: as }),
        ])
      ).map(codeOf);
    expect(await refusals('nonsense')).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(await refusals(reader.key)).toEqual([
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
      expect.stringContaining('200'),
    ]);
    expect(await refusals(ungranted.key)).toEqual(['CHAIN_NOT_ALLOWED', 'CHAIN_NOT_ALLOWED', 'CHAIN_NOT_ALLOWED']);
    for (const answer of [
      await gateway.create(body, newKey(), foreign.key),
      await gateway.preflight(body, foreign.key),
    ])
      expect([answer.status, answer.json.error.findings[0]]).toMatchObject([
        403,
        { code: 'WALLET_BINDING_MISMATCH', path: '/launchWallet', actual: CUSTOM_LAUNCH_WALLET },
      ]);
    expect((await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), creator.key)).status).toBe(202);
  });

  it('of a partner launches only for each of its wallets', async () => {
    const partner = (allowedControllers: string[]) =>
      gateway.credentials.issue({
        kind: 'partner',
        allowedControllers: allowedControllers as `0x${string}`[],
        scopes: ['custom-launch:create'],
        chains: ['4663'],
        label: null,
        expiresAt: null,
      });
    const own = await partner([`0x${'4'.repeat(40)}`, CUSTOM_LAUNCH_WALLET]);
    const other = await partner([`0x${'4'.repeat(40)}`]);
    expect((await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), own.key)).status).toBe(202);
    expect(codeOf(await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), other.key))).toBe(
      'WALLET_BINDING_MISMATCH',
    );
  });
});
