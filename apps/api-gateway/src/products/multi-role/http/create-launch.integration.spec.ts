import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchResourceSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { call, codeOf, newKey, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
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

describe('A create', () => {
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

  it('works with and without the trailing slash, without a redirect', async () => {
    const answer = await call(`${gateway.base}/`, {
      key,
      body: requestBytes(fresh()),
      headers: { 'idempotency-key': newKey() },
    });
    expect(answer.status).toBe(202);
  });

  it.each([1, 2, 3])(
    'is accepted once when 64 identical ones arrive together (round %i)',
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

  it('whose bytes the disk refuses is asked to retry, reserves nothing, and is accepted later', async () => {
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

  it('is accepted once when identical ones arrive at two gateways', async () => {
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

  it("that another release's gateway reserved a moment ago is answered from its record, not refused by this gateway's context", async () => {
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
      // This runs after this gateway searched for a record and before it judges the request.
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

  it('gets the nonce alone among 16 different requests under different keys', async () => {
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

describe('A refusal before the reservation', () => {
  it('returns every finding, reserves nothing and leaves the key free', async () => {
    const before = [await countOf('launch'), await countOf('idempotency_record')];
    const idempotencyKey = newKey();
    const answer = await create(requestBytes({ ...fresh(), nonce: '01', launchWallet: '0xAB' }), idempotencyKey);
    const found = (answer.json.error.findings as { code: string; path: string }[])
      .map(({ code, path }) => `${code} ${path}`)
      .sort();
    expect([answer.status, found]).toEqual([422, ['SCHEMA_INVALID /launchWallet', 'SCHEMA_INVALID /nonce']]);
    expect(answer.headers.has('location')).toBe(false);
    expect([await countOf('launch'), await countOf('idempotency_record')]).toEqual(before);
    expect((await create(requestBytes(fresh()), idempotencyKey)).status).toBe(202);
  });

  it('names every fault of form and meaning at once, as a preflight does', async () => {
    const zeros = `0x${'0'.repeat(64)}` as const;
    const faulty = fresh({
      now: Math.floor(Date.now() / 1_000) - 7_200,
      change: (one) => {
        one.funding.totalValueWei = '1';
        one.fundingPlan = { ...one.fundingPlan, minimumTokensOut: '1' };
        one.projectMetadata.image.width += 1;
        one.contextCommitments.profileHash = zeros;
        Object.assign(one, { behaviorScenarioInputs: { a: 1 }, behaviorScenarioInputsHash: zeros });
      },
      afterHashing: (one) => void (one.launchIntentHash = zeros),
    });
    const codesOf = (answer: Answer): readonly string[] => [
      ...new Set((answer.json.error.findings as { code: string }[]).map(({ code }) => code)),
    ];
    const body = requestBytes(faulty);
    const [created, preflight] = [await create(body), await call(`${gateway.base}/preflight`, { key, body })];
    expect([created.status, [...codesOf(created)].sort()]).toEqual([
      422,
      [
        'BEHAVIOR_INPUTS_HASH_MISMATCH',
        'CONTEXT_COMMITMENT_MISMATCH',
        'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
        'FUNDING_INVALID',
        'FUNDING_TOTAL_MISMATCH',
        'IMAGE_MISMATCH',
        'LAUNCH_INTENT_HASH_MISMATCH',
      ],
    ]);
    expect([preflight.status, codesOf(preflight)]).toEqual([422, codesOf(created)]);
    const noImage = fresh({ change: (one) => void (one.source.imagePath = 'other.png') });
    expect(codesOf(await create(requestBytes(noImage)))).toEqual(['IMAGE_INVALID']);
    expect(codesOf(await create(requestBytes({ ...fresh(), more: 1 })))).toEqual(['SCHEMA_UNKNOWN_FIELD']);
  });

  it('names the seconds after which the client may repeat a request without a fault', async () => {
    gateway.chain.agrees = false;
    const answer = await create(requestBytes(fresh()));
    gateway.chain.agrees = true;
    expect([answer.status, codeOf(answer), answer.json.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('has the code RATE_LIMITED for a lineage with too many open launches', async () => {
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

describe('A replay', () => {
  it('shows the current launch, as the route of the launch shows it', async () => {
    const launch = await reserveLaunch(gateway, key);
    const pending = await launch.replay();
    expect([pending.status, codeOf(pending), pending.headers.get('retry-after')]).toEqual([
      503,
      'MULTI_ROLE_ADMISSION_PENDING',
      '1',
    ]);
    await launch.authorized();
    const shown = await launch.replay();
    expect([shown.status, shown.json]).toEqual([200, (await launch.get()).json]);
    const other = await reserveLaunch(gateway, key);
    await other.refused(true, 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN');
    const refused = await other.replay();
    expect([refused.status, codeOf(refused)]).toEqual([422, 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN']);
    expect(refused.json.error).toMatchObject({ statusUrl: other.created.statusUrl, retryable: false });
    expect(refused.json.error.findings).toEqual((await other.get()).json.findings);
    expect((await other.replay()).text.replace(/req_\w+/, '')).toBe(refused.text.replace(/req_\w+/, ''));
    for (const [answer, { created }] of [
      [pending, launch],
      [shown, launch],
      [refused, other],
    ] as const)
      expect([answer.headers.get('idempotency-replayed'), answer.headers.get('location')]).toEqual([
        'true',
        created.statusUrl,
      ]);
  });

  it('is answered from the record although the window, the context and even the schema of bodies have changed', async () => {
    const launch = await reserveLaunch(gateway, key);
    gateway.clock.shiftMs = 7_200_000;
    gateway.chain.clockSeconds = () => null;
    try {
      expect(codeOf(await launch.replay())).toBe('MULTI_ROLE_ADMISSION_PENDING');
    } finally {
      gateway.clock.shiftMs = 0;
      gateway.chain.clockSeconds = () => [Math.floor(Date.now() / 1_000)];
    }
  });

  it('conflicts when its bytes are not JSON', async () => {
    const launch = await reserveLaunch(gateway, key);
    expect(codeOf(await launch.replay(key, Buffer.from('not json')))).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('works with a rotated key, fails with a revoked one, and is a new request for a stranger', async () => {
    const issued = await gateway.issueKey();
    const launch = await reserveLaunch(gateway, issued.key);
    const next = await gateway.credentials.rotate(issued.credentialId, 60);
    expect(codeOf(await launch.replay(next?.key))).toBe('MULTI_ROLE_ADMISSION_PENDING');
    expect((await launch.get(next?.key)).json.launchId).toBe(launch.launchId);
    await gateway.credentials.revoke(issued.credentialId);
    expect(codeOf(await launch.replay())).toBe('UNAUTHENTICATED');
    // A stranger with the same key string makes a reservation of its own, for which the nonce is in use.
    expect(codeOf(await launch.replay(key))).toBe('NONCE_IN_USE');
  });
});

describe('The nonce of a refused launch', () => {
  it.each([
    [true, 202],
    [false, 409],
  ])('is reusable once it is released: with `released` %s, the next request gets %i', async (released, status) => {
    const launch = await reserveLaunch(gateway, key);
    await launch.refused(released, 'COMPILER_ERROR');
    const answer = await call(gateway.base, { key, body: launch.bytes, headers: { 'idempotency-key': newKey() } });
    expect(answer.status).toBe(status);
  });
});
