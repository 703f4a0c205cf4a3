import { afterEach, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { capabilitiesSchema } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { DEFAULT_LIMITS } from '../../../platform/configuration/limits.js';
import { CapabilitiesService } from '../domain/capabilities.service.js';
import { UNOBSERVED_CHAIN } from '../../../core/chain/launch-chain.js';
import { ContextService } from '../../../core/context/context.service.js';
import { call, codeOf, newKey } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { requestBytes, testContext, testRequest, testReviews } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { createLogger } from '@launch/platform';

let gateway: Harness | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

describe('capabilities', () => {
  it('publish the context, its commitments and its policy', async () => {
    gateway = await startHarness();
    const answer = await call(`${gateway.base}/capabilities`);
    const body = capabilitiesSchema.parse(answer.json);
    expect(answer.text).toBe(canonicalJsonText(answer.json));
    expect(body).toMatchObject({
      context: testContext(),
      contextCommitments: commitContext(testContext()),
      readiness: { status: 'ready', reasonCodes: [] },
      limits: { compileBudgetSeconds: 120 },
    });
    expect([body.routeId, body.routerProtocol]).toEqual([
      'custom-launch:create:multi-role-v2',
      'service.multi-role-launch-stamp-router.v2',
    ]);
    expect(body.runtimeInstructionPolicy).toEqual(testContext().profile.instructionPolicy);
    const openapi = body.documentation['openapi'] as { path: string; contentSha256: string };
    expect((await call(`${gateway.url}${openapi.path}`)).headers.get('etag')).toBe(`"${openapi.contentSha256}"`);
  });

  it('of an unregistered deployment are 200 with reasons, and creates are refused until there is a context', async () => {
    gateway = await startHarness({ context: null });
    const { status, json } = await call(`${gateway.base}/capabilities`);
    expect([status, json.context, json.readiness.status, json.readiness.reasonCodes]).toEqual([
      200,
      null,
      'unavailable',
      ['CONTEXT_NOT_CONFIGURED'],
    ]);
    expect([json.routeId, json.routerProtocol]).toEqual([
      'custom-launch:create:multi-role-v2',
      'service.multi-role-launch-stamp-router.v2',
    ]);
    const { key } = await gateway.issueKey();
    const answer = await call(gateway.base, {
      key,
      body: requestBytes(testRequest()),
      headers: { 'idempotency-key': newKey() },
    });
    expect([answer.status, codeOf(answer)]).toEqual([503, 'CONTEXT_UNAVAILABLE']);
    // The answer tells every fault of the bytes all the same.
    expect(codeOf(await call(gateway.base, { key, body: '{}', headers: { 'idempotency-key': newKey() } }))).toBe(
      'SCHEMA_INVALID',
    );
    expect((await call(gateway.base, { key })).status).toBe(200);
  });
});

describe('a release', () => {
  it('that was served is kept under its hash, for ever and unchanged', async () => {
    gateway = await startHarness();
    const { contextHash } = commitContext(testContext());
    const rows = await runSql<{ document: string }>(
      gateway.database,
      'SELECT document FROM release_context WHERE context_hash = $1',
      [contextHash],
    );
    expect(rows).toEqual([{ document: canonicalJsonText(testContext()) }]);
    expect(canonicalKeccak(JSON.parse(rows[0]?.document ?? ''))).toBe(contextHash);
    const rewrites = [
      `UPDATE release_context SET document = '{}'`,
      'DELETE FROM release_context',
      'TRUNCATE release_context CASCADE',
      'TRUNCATE launch CASCADE',
    ];
    for (const rewrite of rewrites) await expect(runSql(gateway.database, rewrite)).rejects.toThrow(/written once/);
    const again = `INSERT INTO release_context (context_hash, document) VALUES ($1, '{}') ON CONFLICT (context_hash) DO UPDATE SET document = '{}'`;
    await expect(runSql(gateway.database, again, [contextHash])).rejects.toThrow(/written once/);
    // A reservation keeps its context itself, where the first look at the chain could not: under the same hash.
    const { key } = await gateway.issueKey();
    expect(
      (await call(gateway.base, { key, body: requestBytes(testRequest()), headers: { 'idempotency-key': newKey() } }))
        .status,
    ).toBe(202);
    expect(await runSql(gateway.database, 'SELECT context_hash, document FROM release_context')).toEqual([
      { context_hash: contextHash, document: canonicalJsonText(testContext()) },
    ]);
    const next = testContext({
      runtimeRelease: {
        schemaVersion: 'service.multi-role-runtime-release-instance.v2',
        sourceCommit: '1'.repeat(40),
        sourceTree: '2'.repeat(40),
      },
    });
    const later = await startHarness({ beside: gateway, context: next });
    try {
      expect((await call(`${later.base}/capabilities`)).json.contextCommitments.contextHash).toBe(
        commitContext(next).contextHash,
      );
      const kept = await runSql<{ context_hash: string }>(gateway.database, 'SELECT context_hash FROM release_context');
      expect(kept.map(({ context_hash }) => context_hash).sort()).toEqual(
        [contextHash, commitContext(next).contextHash].sort(),
      );
    } finally {
      await later.close();
    }
  });

  it.each([
    [
      'INSTRUCTION_POLICY_UNKNOWN',
      testContext({
        instructionPolicy: {
          ...testContext().profile.instructionPolicy,
          id: 'service.runtime-instructions.reachable.v2',
        },
      }),
      undefined,
    ],
    ['ROUTER_UNREVIEWED', testContext(), []],
    [
      'ROUTER_RELABELLED',
      testContext(),
      testReviews().map((review) => ({ ...review, policyId: 'service.multi-role-runtime-instruction-policy.v2' })),
    ],
    [
      'ROUTER_CODE_UNREVIEWED',
      testContext(),
      testReviews().map((review) => ({ ...review, runtimeCodeHash: `0x${'9'.repeat(64)}` as const })),
    ],
  ])('with %s is told, not used', async (reason, context, reviewedRouters) => {
    gateway = await startHarness({ context, ...(reviewedRouters === undefined ? {} : { reviewedRouters }) });
    const { json } = await call(`${gateway.base}/capabilities`);
    expect(json.readiness).toMatchObject({ status: 'unavailable', reasonCodes: [reason] });
    const { key } = await gateway.issueKey();
    for (const [path, headers] of [
      ['', { 'idempotency-key': newKey() }],
      ['/preflight', {}],
    ] as const) {
      expect(
        codeOf(await call(`${gateway.base}${path}`, { key, body: requestBytes(testRequest({ context })), headers })),
      ).toBe('CONTEXT_UNAVAILABLE');
    }
    expect(await runSql(gateway.database, 'SELECT 1 FROM release_context')).toEqual([]);
  });
});

describe('readiness of a context', () => {
  const chain = (reasons: () => Promise<readonly string[]>) => ({
    ...UNOBSERVED_CHAIN,
    readinessReasons: reasons,
  });
  const logger = createLogger({ service: 'test', level: 'silent' });
  const clock = { now: () => 0 };
  const service = (reasons: () => Promise<readonly string[]>) =>
    new ContextService(testContext(), chain(reasons), clock, logger, testReviews(), { keep: async () => undefined });

  it('a code mismatch makes it unavailable, silent observers do not unmake it', async () => {
    let reasons: readonly string[] = [];
    const contexts = service(async () => reasons);
    expect(contexts.describe().status).toBe('unavailable');
    const look = async () => {
      await contexts.start();
      contexts.onApplicationShutdown();
      return contexts.describe();
    };
    expect((await look()).status).toBe('ready');
    reasons = ['OBSERVERS_INDETERMINATE'];
    expect((await look()).status).toBe('ready');
    reasons = ['ROUTER_CODE_MISMATCH'];
    expect(await look()).toMatchObject({ status: 'unavailable', reasonCodes: ['ROUTER_CODE_MISMATCH'] });
    reasons = ['OBSERVERS_INDETERMINATE'];
    expect((await look()).status).toBe('unavailable');
  });

  it('changes the document that is sent, which is written once for each look that says anything', async () => {
    gateway = await startHarness();
    let reasons: readonly string[] = [];
    let now = Date.UTC(2026, 10, 20);
    const contexts = new ContextService(
      testContext(),
      chain(async () => reasons),
      { now: () => now },
      logger,
      testReviews(),
      { keep: async () => undefined },
    );
    const capabilities = new CapabilitiesService(contexts, gateway.openapi, new Map(), DEFAULT_LIMITS);
    const look = async (next: readonly string[]) => {
      [reasons, now] = [next, now + 1_000];
      await contexts.start();
      contexts.onApplicationShutdown();
      const bytes = capabilities.bytes();
      expect(capabilities.bytes()).toBe(bytes);
      const { readiness } = capabilitiesSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
      return [readiness.status, ...readiness.reasonCodes, readiness.checkedAt];
    };
    expect(await look([])).toEqual(['ready', '2026-11-20T00:00:01.000Z']);
    expect(await look([])).toEqual(['ready', '2026-11-20T00:00:02.000Z']);
    expect(await look(['OBSERVERS_INDETERMINATE'])).toEqual(['ready', '2026-11-20T00:00:02.000Z']);
    expect(await look(['ROUTER_CODE_MISMATCH'])).toEqual([
      'unavailable',
      'ROUTER_CODE_MISMATCH',
      '2026-11-20T00:00:04.000Z',
    ]);
  });

  it('a check that fails is no check', async () => {
    const contexts = service(() => Promise.reject(new Error('away')));
    await contexts.start();
    contexts.onApplicationShutdown();
    expect(contexts.describe()).toMatchObject({ status: 'unavailable', reasonCodes: ['OBSERVERS_INDETERMINATE'] });
  });
});
