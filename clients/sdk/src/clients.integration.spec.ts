import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalizeJson, type JsonValue } from '@launch/contracts/json';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import type { LaunchCapabilities } from '@launch/contracts/reports';
import { multiRoleLaunchOf } from '../../core/src/fixtures/multi-role-answers.fixture.js';
import { recordedAnswer } from '../../core/src/fixtures/recorded-answers.fixture.js';
import {
  finalizedLaunch,
  waitingBatch,
  waitingLaunch,
  waitingPlan,
} from '../../core/src/fixtures/custom-launch-answers.fixture.js';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { reportExample } from '../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import { failureOf, pathsOf } from './fixtures/failures.fixture.js';
import { createLaunchClient, LaunchClientError, type LaunchClient, type LaunchFinding } from './index.js';
import { createMultiRoleClient } from './multi-role.js';
import { createPlanClient } from './plans.js';
import { sentOf, type Packed } from './transport/packed.js';

const KEY = 'sentinel-key';
const DISCOVERY = '/.well-known/custom-launch.json';
const LAUNCHES = '/v4/chains/4663/custom-launches';
const PLANS = '/v4/chains/4663/custom-launch-plans';
const MULTI_ROLE = '/v4/chains/4663/multi-role-custom-launches';
const REQUEST_ID = `req_${'0'.repeat(26)}`;
const QUICK = { pollMs: 1, timeoutMs: 30_000 };

const CORPUS = new URL('../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const { context, request } = JSON.parse(readFileSync(CORPUS, 'utf8')) as { context: JsonValue; request: JsonValue };
const bytes = canonicalizeJson(request);
const packed: Packed = {
  bytes,
  router: `0x${'7'.repeat(40)}`,
  report: {
    idempotencyKey: `v4-${'1'.repeat(64)}`,
    artifactHash: `0x${'a'.repeat(64)}`,
    onchainLaunchId: `0x${'b'.repeat(64)}`,
    stepIds: ['deploy-token', 'deploy-hook', 'register'],
  },
};
const sent = sentOf(packed);
const waiting = waitingLaunch(sent);
const { launchId } = waiting;

const service = new AnsweringServer();
let baseUrl: string;
let launch: LaunchClient;
beforeAll(async () => {
  baseUrl = await service.start();
});
afterAll(() => service.stop());
beforeEach(() => {
  launch = createLaunchClient({ baseUrl, key: KEY });
  serving({});
});

/** Serves answers by path in order, repeating the last one. Always serves discovery. */
function serving(routes: Readonly<Record<string, readonly Answering[]>>): void {
  const left = new Map([[DISCOVERY, [json(200, DISCOVERY_EXAMPLE)]], ...Object.entries(routes)]);
  service.answer = (response, asked) => {
    const path = asked.url.split('?')[0]!;
    const [next, ...more] = left.get(path) ?? [];
    if (next === undefined) return void response.writeHead(500).end();
    if (more.length > 0) left.set(path, more);
    next(response, asked);
  };
  service.seen.length = 0;
}
const cutOff: Answering = (response) => void response.destroy();
const proxyPage: Answering = (response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
const refused = (status: number, code: string, more: object = {}): Answering =>
  json(status, {
    error: {
      ...{ code, message: 'Not now.', requestId: REQUEST_ID, retryable: false, retryAfterSeconds: null },
      ...{ statusUrl: null, findings: [], ...more },
    },
  });

describe('The launch client', () => {
  it('takes a packed launch to its hand-off and to finality, and gives the wallet a transaction of bigints', async () => {
    serving({
      [LAUNCHES]: [json(202, waiting)],
      [`${LAUNCHES}/${launchId}`]: [json(200, { ...waiting, status: 'admitting', handoff: null }), json(200, waiting)],
    });
    const created = await launch.submit(packed);
    expect([created.launchId, created.isReplay]).toEqual([launchId, false]);
    const [, post] = service.seen;
    expect(post?.body.equals(bytes)).toBe(true);
    expect(post?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'idempotency-key': packed.report!.idempotencyKey,
    });
    expect(service.seen[0]).toMatchObject({ url: DISCOVERY });
    expect(service.seen[0]?.headers.authorization).toBeUndefined();
    const { walletTransaction } = await launch.waitFor(launchId, 'authorized', QUICK);
    const { to, value, data } = waiting.handoff!.walletTransaction;
    expect(walletTransaction).toEqual({ to, value: BigInt(value), data });
    serving({ [`${LAUNCHES}/${launchId}`]: [json(200, waiting), json(200, finalizedLaunch(sent))] });
    expect(await launch.waitFor(launchId, 'finalized', QUICK)).toMatchObject({ status: 'finalized' });
  });

  it('reads the context, a checkpoint and the recommended buy without the key', async () => {
    const capabilities = { ...(reportExample('capabilities') as LaunchCapabilities) };
    const contextHash = keccak256Hex(canonicalizeJson(context));
    const quote = { ...recordedAnswer<object>('getInitialBuyQuote'), contextHash };
    serving({
      '/v4/chains/4663/capabilities': [json(200, { ...capabilities, context: { contextHash, document: context } })],
      '/v4/chains/4663/readiness': [json(200, recordedAnswer('getLaunchReadiness'))],
      '/v4/chains/4663/initial-buy-quote': [json(200, quote)],
    });
    const published = await launch.context();
    expect(published).toMatchObject({ contextHash, document: context, initialBuyWei: expect.stringMatching(/^[1-9]/) });
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  });

  it('refuses every read that is about another launch than its request', async () => {
    serving({ [LAUNCHES]: [json(202, waiting)] });
    await launch.submit(packed);
    const other = { ...waiting, launchWallet: `0x${'9'.repeat(40)}` };
    const withTransaction = (member: object) => {
      const handoff = waiting.handoff!;
      return { ...waiting, handoff: { ...handoff, walletTransaction: { ...handoff.walletTransaction, ...member } } };
    };
    const falsified: readonly [string, object][] = [
      ['/launchId', { ...waiting, launchId: launchId.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }],
      ['/requestSha256', { ...waiting, requestSha256: sha256Digest(new Uint8Array(1)) }],
      ['/launchWallet', other],
      ['/profile', { ...waiting, profile: '4.0.0' }],
      ['/handoff/walletTransaction/to', withTransaction({ to: `0x${'8'.repeat(40)}` })],
      ['/handoff/walletTransaction/value', withTransaction({ value: '1' })],
      ['/onchainLaunchId', { ...waiting, onchainLaunchId: `0x${'c'.repeat(64)}` }],
    ];
    for (const [path, body] of falsified) {
      serving({ [`${LAUNCHES}/${launchId}`]: [json(200, body)] });
      const { code, findings, retryable } = await failureOf(launch.get(launchId));
      expect([code, retryable]).toEqual(['RESPONSE_NOT_OF_REQUEST', false]);
      expect(findings.map((one) => one.path)).toContain(path);
    }
    // Another client, which has no request, compares with the given one.
    serving({ [`${LAUNCHES}/${launchId}`]: [json(200, other)] });
    const second = createLaunchClient({ baseUrl, key: KEY });
    expect((await failureOf(second.get(launchId, packed))).code).toBe('RESPONSE_NOT_OF_REQUEST');
  });

  it('ends with one typed error that has what the service reported', async () => {
    const refusal = recordedAnswer<{ error: { code: string } }>('createCustomLaunch', 422);
    serving({
      [LAUNCHES]: [json(422, refusal), refused(429, 'RATE_LIMITED', { retryable: true, retryAfterSeconds: 7 })],
    });
    expect(await failureOf(launch.submit(packed))).toMatchObject({
      ...{
        name: 'LaunchClientError',
        code: refusal.error.code,
        status: 422,
        retryable: false,
        submissionMayExist: false,
      },
    });
    expect(await failureOf(launch.submit(packed))).toMatchObject({
      ...{
        code: 'RATE_LIMITED',
        status: 429,
        retryable: true,
        retryAfterSeconds: 7,
        requestId: REQUEST_ID,
        findings: [],
      },
    });
    const ofPlan = recordedAnswer<{ errors: LaunchFinding[]; requestId: string }>('createPlan', 422);
    serving({ [PLANS]: [json(422, ofPlan)] });
    expect(await failureOf(createPlanClient({ baseUrl, key: KEY }).submit(packed))).toMatchObject({
      ...{ code: ofPlan.errors[0]!.code, status: 422, requestId: ofPlan.requestId },
      findings: ofPlan.errors.map((one) => expect.objectContaining({ path: one.path })),
    });
  });

  it('says that a submission may exist exactly if the service may have received it', async () => {
    const cases: readonly [string, Answering, boolean][] = [
      ['SERVICE_UNREACHABLE', cutOff, true],
      ['ANSWER_STATUS_UNKNOWN', proxyPage, true],
      ['ANSWER_SCHEMA_MISMATCH', json(202, { ...waiting, status: 'lost' }), true],
      ['RESPONSE_NOT_OF_REQUEST', json(202, { ...waiting, requestSha256: sha256Digest(new Uint8Array(1)) }), true],
      ['IDEMPOTENCY_CONFLICT', refused(409, 'IDEMPOTENCY_CONFLICT'), false],
    ];
    for (const [code, answer, submissionMayExist] of cases) {
      serving({ [LAUNCHES]: [answer] });
      expect(await failureOf(launch.submit(packed))).toMatchObject({ code, submissionMayExist });
    }
    serving({ [`${LAUNCHES}/${launchId}`]: [cutOff] });
    expect(await failureOf(launch.get(launchId))).toMatchObject({ retryable: true, submissionMayExist: false });
    const withoutKey = createLaunchClient({ baseUrl });
    serving({});
    expect(await failureOf(withoutKey.submit(packed))).toMatchObject({
      code: 'INPUT_UNUSABLE',
      submissionMayExist: false,
    });
    expect(() => createLaunchClient({ baseUrl: 'http://example.com' })).toThrow(LaunchClientError);
  });

  it('waits through dropped connections, pages of a proxy and a rate limit, and no longer than it may', async () => {
    const path = `${LAUNCHES}/${launchId}`;
    const limited = refused(429, 'RATE_LIMITED', { retryable: true, retryAfterSeconds: 0 });
    serving({ [path]: [cutOff, proxyPage, limited, json(200, waiting)] });
    expect(await launch.waitFor(launchId, 'authorized', QUICK)).toMatchObject({ launchId });
    serving({ [path]: [json(200, { ...waiting, status: 'admitting', handoff: null })] });
    expect(await failureOf(launch.waitFor(launchId, 'authorized', { pollMs: 5, timeoutMs: 40 }))).toMatchObject({
      code: 'WAIT_TIMED_OUT',
      retryable: true,
    });
    serving({ [path]: [json(200, { ...waiting, status: 'action_required', handoff: null })] });
    expect((await failureOf(launch.waitFor(launchId, 'finalized', QUICK))).code).toBe('LAUNCH_ENDED');
    serving({ [path]: [refused(404, 'NOT_FOUND')] });
    expect((await failureOf(launch.waitFor(launchId, 'finalized', QUICK))).code).toBe('NOT_FOUND');
    const interruption = new AbortController();
    serving({ [path]: [json(200, { ...waiting, status: 'admitting', handoff: null })] });
    const wait = launch.waitFor(launchId, 'finalized', { pollMs: 60_000, signal: interruption.signal });
    setTimeout(() => interruption.abort(new Error('stop')), 50);
    await expect(wait).rejects.toThrow('stop');
  });

  it('sends nothing with a key while a gate is closed', async () => {
    const discovery = structuredClone(DISCOVERY_EXAMPLE) as Record<string, any>;
    const { chains, versions } = discovery['customLaunchApi'];
    for (const place of [versions.v4, ...versions.v4.chains, ...chains]) place.publicWrites = false;
    serving({ [DISCOVERY]: [json(200, discovery)] });
    expect((await failureOf(launch.submit(packed))).code).toBe('LAUNCHES_CLOSED');
    expect(service.seen.map(({ url }) => url)).toEqual([DISCOVERY]);
  });
});

describe('The plan client', () => {
  const plans = () => createPlanClient({ baseUrl, key: KEY });
  const planSent = { ...sent, planDigest: sent.requestSha256 };

  it('offers the next step of a sequential plan, and waits for its inclusion and finality', async () => {
    const plan = waitingPlan(planSent);
    const { planId } = plan;
    serving({ [PLANS]: [json(202, plan)], [`${PLANS}/${planId}`]: [json(200, plan)] });
    const client = plans();
    expect(await client.submit(packed)).toMatchObject({ planId, isReplay: false });
    const offered = await client.waitFor(planId, 'signature', QUICK);
    const step = plan.steps.find(({ stepId }) => stepId === offered.stepId)!;
    expect([offered.isAtomic, offered.walletTransactions.length]).toEqual([false, 1]);
    expect(offered.walletTransactions[0]).toMatchObject({ to: (step.authorization as { to: string }).to });
    expect(await failureOf(client.waitFor(planId, 'included', { stepId: 'none', ...QUICK }))).toMatchObject({
      code: 'INPUT_UNUSABLE',
    });
    serving({ [`${PLANS}/${planId}`]: [json(200, { ...plan, planId: planId.replace(/.$/, '9') })] });
    expect((await failureOf(client.get(planId))).code).toBe('RESPONSE_NOT_OF_REQUEST');
  });

  it('offers all calls of an atomic plan', async () => {
    const plan = waitingBatch({ ...planSent, stepIds: ['atomic-launch'] });
    serving({ [`${PLANS}/${plan.planId}`]: [json(200, plan)] });
    const offered = await plans().waitFor(plan.planId, 'signature', QUICK);
    expect(offered.isAtomic).toBe(true);
    expect(offered.walletTransactions.length).toBeGreaterThan(1);
  });
});

describe('The multi-role client', () => {
  it('refuses a launch of another request, and waits for the transaction', async () => {
    const resource = recordedAnswer<Record<string, unknown>>('getLaunch');
    const id = resource['launchId'] as string;
    serving({ [`${MULTI_ROLE}/${id}`]: [json(200, resource)] });
    const ofMultiRole = readFileSync(new URL('multi-role.v2.json', CORPUS));
    const client = createMultiRoleClient({ baseUrl, key: KEY });
    expect(await client.get(id)).toMatchObject({ launchId: id });
    expect((await failureOf(client.get(id, { bytes: ofMultiRole }))).findings.map(({ path }) => path)).toContain(
      '/requestSha256',
    );
  });

  it('compares every read of a launch that it created with the first response', async () => {
    const request = readFileSync(new URL('multi-role.v2.json', CORPUS));
    const resource = multiRoleLaunchOf(request);
    const { launchId: id } = resource;
    const route = `${MULTI_ROLE}/${id}`;
    const client = createMultiRoleClient({ baseUrl, key: KEY });
    serving({ [MULTI_ROLE]: [json(202, resource)], [route]: [json(200, resource)] });
    expect(await client.create({ bytes: request })).toMatchObject({ launchId: id, isReplay: false });
    expect(await client.get(id)).toMatchObject({ launchId: id });
    const onchainLaunchId = `0x${'9'.repeat(64)}`;
    const other = { ...resource, onchainLaunchId, idempotencyKey: 'another-key-of-the-owner' };
    serving({ [route]: [json(200, other)] });
    expect(pathsOf(await failureOf(client.get(id)))).toEqual(['/idempotencyKey', '/onchainLaunchId']);
  });
});

describe('A request that the service received', () => {
  const clients = (): Readonly<
    Record<string, readonly [path: string, resource: object, read: () => Promise<Uint8Array>]>
  > => {
    const recorded = recordedAnswer<{ readonly launchId: string }>('getLaunch');
    const multiRole = { ...recorded, requestSha256: sent.requestSha256, wallet: null };
    const plan = waitingPlan(sent);
    const options = { baseUrl, key: KEY };
    return {
      'a custom launch': [`${LAUNCHES}/${launchId}`, waiting, () => launch.request(launchId)],
      'a plan': [`${PLANS}/${plan.planId}`, plan, () => createPlanClient(options).request(plan.planId)],
      'a multi-role launch': [
        `${MULTI_ROLE}/${recorded.launchId}`,
        multiRole,
        () => createMultiRoleClient(options).request(recorded.launchId),
      ],
    };
  };
  const serves = (path: string, resource: object, body: string | Buffer) =>
    serving({ [path]: [json(200, resource)], [`${path}/request`]: [json(200, String(body))] });

  it.each(['a custom launch', 'a plan', 'a multi-role launch'])(
    'is read byte for byte for %s, and refused if its digest is not the one of the resource',
    async (name) => {
      const [path, resource, read] = clients()[name]!;
      serves(path, resource, Buffer.from(bytes));
      expect(Buffer.from(await read()).equals(bytes)).toBe(true);
      expect(service.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
        [path, `Bearer ${KEY}`],
        [`${path}/request`, `Bearer ${KEY}`],
      ]);
      serves(path, resource, `${Buffer.from(bytes).toString()} `);
      expect(await failureOf(read())).toMatchObject({ code: 'RESPONSE_NOT_OF_REQUEST', status: 200 });
    },
  );

  it('may be as large as the service accepts it, beyond the bound of other responses', async () => {
    const large = JSON.stringify({ sources: 'x'.repeat(5 * 1024 * 1024) });
    const resource = {
      ...waiting,
      requestSha256: sha256Digest(Buffer.from(large)),
      handoff: null,
      status: 'admitting',
    };
    serves(`${LAUNCHES}/${launchId}`, resource, large);
    expect((await launch.request(launchId)).length).toBe(large.length);
  });
});
