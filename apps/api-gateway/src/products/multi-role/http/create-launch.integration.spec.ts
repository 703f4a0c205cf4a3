import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchResourceSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { call, codeOf, newKey, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import {
  requestBytes,
  TEST_CONTROLLER,
  testContext,
  testRequest,
  type TestRequestOptions,
} from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
let key: string;
let nonce = 1_000;
const fresh = (options: TestRequestOptions = {}): CreateRequest =>
  testRequest({ nonce: String((nonce += 1)), ...options });
const create = (body: Uint8Array, idempotencyKey = newKey(), as = key): Promise<Answer> =>
  call(gateway.base, { key: as, body, headers: { 'idempotency-key': idempotencyKey } });
const countOf = async (table: string): Promise<number> =>
  Number((await runSql<{ n: string }>(gateway.database, `SELECT count(*) AS n FROM ${table}`))[0]?.n);

beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

describe('a first create', () => {
  it('is durable before it is answered, starts the admission and shows the launch', async () => {
    const body = requestBytes(fresh());
    const idempotencyKey = newKey();
    const created = await create(body, idempotencyKey);
    expect([created.status, codeOf(created)]).toEqual([202, expect.stringContaining('202')]);
    const resource = launchResourceSchema.parse(created.json);
    expect(resource).toMatchObject({
      status: 'reserved',
      sourceAssessment: null,
      wallet: null,
      findings: [],
      idempotencyKey,
      launchWallet: TEST_CONTROLLER,
      finality: { state: 'pending', transactionHash: null },
    });
    expect(created.headers.get('location')).toBe(resource.statusUrl);
    expect(created.headers.get('cache-control')).toBe('private, no-store');
    expect(created.headers.get('vary')).toBe('Accept, Authorization');
    expect(created.headers.has('idempotency-replayed')).toBe(false);
    const read = await call(`${gateway.url}${resource.statusUrl}`, { key });
    expect(read.json).toEqual(created.json);
    expect(Buffer.from(await gateway.blobs.get(resource.requestSha256 as `sha256:${string}`)).equals(body)).toBe(true);
    expect(gateway.workflows.admissions).toContain(resource.launchId);
  });

  it('is the same route with and without the slash, without redirect', async () => {
    const answer = await call(`${gateway.base}/`, {
      key,
      body: requestBytes(fresh()),
      headers: { 'idempotency-key': newKey() },
    });
    expect(answer.status).toBe(202);
  });

  it.each([1, 2, 3])(
    'has one winner among 64 identical ones (round %i)',
    async () => {
      const body = requestBytes(fresh());
      const idempotencyKey = newKey();
      const before = await countOf('launch');
      const answers = await Promise.all(Array.from({ length: 64 }, () => create(body, idempotencyKey)));
      const created = answers.filter(({ status }) => status === 202);
      expect(created).toHaveLength(1);
      expect(new Set(answers.filter(({ status }) => status !== 202).map(codeOf))).toEqual(
        new Set(['MULTI_ROLE_ADMISSION_PENDING']),
      );
      expect(new Set(answers.map(({ headers }) => headers.get('location')))).toEqual(
        new Set([created[0]?.json.statusUrl]),
      );
      expect((await countOf('launch')) - before).toBe(1);
    },
    60_000,
  );

  it('whose bytes the disk does not take is asked to come back, reserves nothing and is taken when it does', async () => {
    const body = requestBytes(fresh());
    const idempotencyKey = newKey();
    const before = await countOf('launch');
    const kept = path.join(gateway.blobDir, 'kept');
    await rename(kept, `${kept}-aside`);
    await writeFile(kept, 'in the way');
    const refused = await create(body, idempotencyKey);
    await rm(kept);
    await rename(`${kept}-aside`, kept);
    expect([refused.status, codeOf(refused), refused.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
    expect(refused.text).not.toContain(gateway.blobDir);
    expect(await countOf('launch')).toBe(before);
    expect((await create(body, idempotencyKey)).status).toBe(202);
  });

  it('has one winner over two gateways', async () => {
    const other = await startHarness({ beside: gateway });
    try {
      const body = requestBytes(fresh());
      const idempotencyKey = newKey();
      const bases = [gateway.base, other.base];
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          call(bases[index % 2] ?? '', { key, body, headers: { 'idempotency-key': idempotencyKey } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      expect(answers.filter((answer) => codeOf(answer) === 'MULTI_ROLE_ADMISSION_PENDING')).toHaveLength(31);
    } finally {
      await other.close();
    }
  });

  it('that a gateway of another release reserved a moment ago is answered by its record, not refused by this one’s context', async () => {
    const runtimeRelease = {
      schemaVersion: 'service.multi-role-runtime-release-instance.v2' as const,
      sourceCommit: '1'.repeat(40),
      sourceTree: '2'.repeat(40),
    };
    const later = await startHarness({ beside: gateway, context: testContext({ runtimeRelease }) });
    try {
      const body = requestBytes(fresh());
      const idempotencyKey = newKey();
      const clocks = later.chain.clocks.bind(later.chain);
      // After this one looked for a record, before it has judged.
      let reserved: Answer | undefined;
      later.chain.clocks = async () => {
        reserved ??= await create(body, idempotencyKey);
        return clocks();
      };
      const send = (as: string) => call(later.base, { key, body, headers: { 'idempotency-key': as } });
      const answer = await send(idempotencyKey);
      expect(reserved?.status).toBe(202);
      expect([answer.status, codeOf(answer), answer.json.error.statusUrl]).toEqual([
        503,
        'MULTI_ROLE_ADMISSION_PENDING',
        reserved?.json.statusUrl,
      ]);
      const stale = await send(newKey());
      expect([stale.status, stale.json.error.findings.map(({ code }: { code: string }) => code)]).toEqual([
        422,
        ['CONTEXT_NOT_CURRENT'],
      ]);
    } finally {
      await later.close();
    }
  });

  it('gives one nonce to one of 16 different requests under different keys', async () => {
    const taken = String((nonce += 1));
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        create(requestBytes(testRequest({ nonce: taken, now: Math.floor(Date.now() / 1_000) - index }))),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 'NONCE_IN_USE' && answer.status === 409)).toHaveLength(15);
  });
});

describe('refusals before a reservation', () => {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const window = (validAfter: number, deadline: number) => (request: CreateRequest) =>
    void (request.permitWindow = { validAfter: String(validAfter), deadline: String(deadline) });
  const windowCode = 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID';
  const cases: readonly (readonly [string, () => unknown, number, readonly string[]])[] = [
    ['an unknown field', () => ({ ...fresh(), extra: 1 }), 422, ['SCHEMA_UNKNOWN_FIELD /extra']],
    [
      'a member that no hash would cover',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              behaviorScenarioInputs: JSON.parse('{"__proto__":{"a":1}}'),
              behaviorScenarioInputsHash: canonicalKeccak({}),
            }),
        }),
      422,
      ['SCHEMA_UNKNOWN_FIELD /behaviorScenarioInputs/__proto__'],
    ],
    [
      'two faults of schema at once',
      () => ({ ...fresh(), nonce: '01', launchWallet: '0xAB' }),
      422,
      ['SCHEMA_INVALID /launchWallet', 'SCHEMA_INVALID /nonce'],
    ],
    [
      'behavioural inputs without their hash',
      () => ({ ...fresh(), behaviorScenarioInputs: {} }),
      422,
      ['SCHEMA_INVALID /behaviorScenarioInputsHash'],
    ],
    [
      'a stale context',
      () => fresh({ context: testContext({ profileId: 'older' }) }),
      422,
      ['CONTEXT_NOT_CURRENT /context'],
    ],
    [
      'a wrong commitment',
      () => fresh({ change: (one) => void (one.contextCommitments.profileHash = `0x${'0'.repeat(64)}`) }),
      422,
      ['CONTEXT_COMMITMENT_MISMATCH /contextCommitments/profileHash'],
    ],
    [
      'a wrong intent hash',
      () => fresh({ afterHashing: (one) => void (one.launchIntentHash = `0x${'0'.repeat(64)}`) }),
      422,
      ['LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash'],
    ],
    [
      'a wrong behaviour hash',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              behaviorScenarioInputs: { a: 1 },
              behaviorScenarioInputsHash: `0x${'0'.repeat(64)}`,
            }),
        }),
      422,
      ['BEHAVIOR_INPUTS_HASH_MISMATCH /behaviorScenarioInputsHash'],
    ],
    [
      'an image of other dimensions',
      () => fresh({ change: (one) => void (one.projectMetadata.image.width = 64) }),
      422,
      ['IMAGE_MISMATCH /projectMetadata/image/width'],
    ],
    [
      'an image that is none',
      () =>
        fresh({
          change: (one) => void (one.source.additionalFiles[0]!.base64 = Buffer.from('<svg/>').toString('base64')),
        }),
      422,
      ['IMAGE_INVALID /source/imagePath'],
    ],
    [
      'an image path that names nothing',
      () => fresh({ change: (one) => void (one.source.imagePath = 'other.png') }),
      422,
      ['IMAGE_INVALID /source/imagePath'],
    ],
    [
      'another wallet',
      () => fresh({ change: (one) => void (one.launchWallet = `0x${'2'.repeat(40)}`) }),
      403,
      ['WALLET_BINDING_MISMATCH /launchWallet'],
    ],
    [
      'a window longer than an hour',
      () => fresh({ change: window(now(), now() + 3_601) }),
      422,
      [`${windowCode} /permitWindow`],
    ],
    [
      'a window that began too long ago',
      () => fresh({ change: window(now() - 3_610, now() - 10 + 100) }),
      422,
      [`${windowCode} /permitWindow`, `${windowCode} /permitWindow/validAfter`],
    ],
    [
      'a window that begins too late',
      () => fresh({ change: window(now() + 120, now() + 600) }),
      422,
      [`${windowCode} /permitWindow/validAfter`],
    ],
    [
      'a deadline too near',
      () => fresh({ change: window(now() - 10, now() + 30) }),
      422,
      [`${windowCode} /permitWindow/deadline`],
    ],
    [
      'a deadline before its beginning',
      () => fresh({ change: window(now() + 50, now() + 50) }),
      422,
      [`${windowCode} /permitWindow/deadline`, `${windowCode} /permitWindow/deadline`],
    ],
    [
      'a wrong sum',
      () => fresh({ change: (one) => void (one.funding.totalValueWei = '1') }),
      422,
      ['FUNDING_TOTAL_MISMATCH /funding/totalValueWei'],
    ],
    [
      'a buy without a minimum',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              funding: { totalValueWei: '5' },
              fundingPlan: { ...one.fundingPlan, initialBuyWei: '5' },
            }),
        }),
      422,
      ['FUNDING_INVALID /fundingPlan/minimumTokensOut'],
    ],
    [
      'several faults of meaning at once',
      () =>
        fresh({
          change: (one) => void Object.assign(one.projectMetadata.image, { height: 33 }),
          afterHashing: (one) => void (one.launchIntentHash = `0x${'1'.repeat(64)}`),
        }),
      422,
      ['IMAGE_MISMATCH /projectMetadata/image/height', 'LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash'],
    ],
  ];
  it.each(cases)('%s', async (_name, make, status, expected) => {
    const before = [await countOf('launch'), await countOf('idempotency_record')];
    const idempotencyKey = newKey();
    const answer = await create(requestBytes(make()), idempotencyKey);
    const found = (answer.json.error.findings as { code: string; path: string }[])
      .map(({ code, path }) => `${code} ${path}`)
      .sort();
    expect([answer.status, found]).toEqual([status, [...expected].sort()]);
    expect(answer.headers.has('location')).toBe(false);
    expect([await countOf('launch'), await countOf('idempotency_record')]).toEqual(before);
    // The key is not consumed.
    expect((await create(requestBytes(fresh()), idempotencyKey)).status).toBe(202);
  });

  it('a nonce the router has spent', async () => {
    const request = fresh();
    gateway.chain.used.add(`${TEST_CONTROLLER} ${request.nonce}`);
    const answer = await create(requestBytes(request));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'NONCE_IN_USE']);
  });

  it('observers that do not agree on the nonce: later, perhaps', async () => {
    gateway.chain.agrees = false;
    const answer = await create(requestBytes(fresh()));
    gateway.chain.agrees = true;
    expect([answer.status, codeOf(answer), answer.json.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('clocks too far apart: no window is judged', async () => {
    const clock = gateway.chain.clockSeconds;
    gateway.chain.clockSeconds = () => null;
    const answer = await create(requestBytes(fresh()));
    gateway.chain.clockSeconds = clock;
    expect(codeOf(answer)).toBe('SERVICE_UNAVAILABLE');
  });

  it('a window good by the server but not by an L2 head', async () => {
    const clock = gateway.chain.clockSeconds;
    gateway.chain.clockSeconds = () => [now(), now() - 100];
    const answer = await create(requestBytes(fresh({ change: window(now(), now() + 600) })));
    gateway.chain.clockSeconds = clock;
    expect(codeOf(answer)).toBe(windowCode);
  });

  it('a lineage with too many open launches', async () => {
    const small = await startHarness({ beside: gateway, limits: { unfinishedLaunches: 1 } });
    const { key: other } = await gateway.issueKey();
    try {
      const send = () =>
        call(small.base, { key: other, body: requestBytes(fresh()), headers: { 'idempotency-key': newKey() } });
      expect((await send()).status).toBe(202);
      expect(codeOf(await send())).toBe('RATE_LIMITED');
    } finally {
      await small.close();
    }
  });
});
