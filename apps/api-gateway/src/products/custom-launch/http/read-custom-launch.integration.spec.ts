import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  customLaunchErrorBodySchema,
  customLaunchListSchema,
  customLaunchPreflightSchema,
  customLaunchResourceSchema,
  type CustomLaunchHandoff,
} from '@launch/contracts/custom-launch';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { PreflightCheck } from '@launch/contracts/orchestration';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import type { Scope } from '../../../core/accounts/credentials/caller.js';
import { call, codeOf, newKey } from '../../../fixtures/http.client.js';
import { requestBytes, testRequest } from '../../../fixtures/test-request.js';
import {
  freshCustomLaunch,
  judgement,
  startCustomLaunchGateway,
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
  type CustomLaunchGateway,
} from '../../../fixtures/custom-launch-gateway.js';

let gateway: CustomLaunchGateway;
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

describe('a launch', () => {
  it('is readable by its lineage, on the routes of its family alone', async () => {
    const { launchId } = await created();
    const multiRole = await call(gateway.base, {
      key: gateway.key,
      body: requestBytes(
        testRequest({ nonce: '78', change: (request) => void (request.launchWallet = CUSTOM_LAUNCH_WALLET) }),
      ),
      headers: { 'idempotency-key': newKey() },
    });
    const other = await issue(['custom-launch:read']);
    const codes = await Promise.all(
      [
        call(gateway.urlOf(`/${launchId}`), { key: other.key }),
        call(gateway.urlOf(`/${multiRole.json.launchId}`), { key: gateway.key }),
        call(`${gateway.base}/${launchId}`, { key: gateway.key }),
        call(`${gateway.base}/${launchId}/finality`, { key: gateway.key }),
        call(gateway.urlOf('/6a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3'), { key: gateway.key }),
        call(gateway.urlOf('/nonsense'), { key: gateway.key }),
      ].map(async (answer) => [(await answer).status, codeOf(await answer)]),
    );
    expect(codes).toEqual(codes.map(() => [404, 'NOT_FOUND']));
    const idsOf = async (base: string) =>
      ((await call(`${base}?limit=25`, { key: gateway.key })).json.items as { launchId: string }[]).map(
        (one) => one.launchId,
      );
    expect(await idsOf(gateway.base)).toEqual([multiRole.json.launchId]);
    expect(await idsOf(gateway.urlOf())).not.toContain(multiRole.json.launchId);
  });

  it('is listed in pages of ten, newest first, by cursors of this list and lineage', async () => {
    const own = await issue(['custom-launch:create', 'custom-launch:read']);
    const made: string[] = [];
    for (let at = 0; at < 12; at += 1)
      made.unshift((await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), own.key)).json.launchId as string);
    const page = async (query: string) =>
      customLaunchListSchema.parse((await call(gateway.urlOf(query), { key: own.key })).json);
    const first = await page('');
    const rest = await page(`?limit=10&cursor=${first.nextCursor}`);
    expect([first.items.length, rest.nextCursor]).toEqual([10, null]);
    expect([...first.items, ...rest.items].map(({ launchId }) => launchId)).toEqual(made);
    for (const [base, as] of [
      [gateway.urlOf(), gateway.key],
      [gateway.base, own.key],
    ] as const)
      expect(codeOf(await call(`${base}?cursor=${first.nextCursor}`, { key: as }))).toBe('CURSOR_INVALID');
    for (const query of ['limit=0', 'limit=01', 'limit=26', 'limit=1&limit=1', 'offset=1']) {
      const answer = await call(gateway.urlOf(`?${query}`), { key: gateway.key });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'QUERY_INVALID']);
    }
  });

  it('shows its hand-off to keys with the read scope, until its window ends without an inclusion', async () => {
    const { launchId } = await created();
    const { json } = await call(gateway.urlOf(`/${launchId}`), { key: gateway.key });
    const deadline = Math.floor(Date.parse(json.expiresAt) / 1_000);
    const handoff = handoffOf(json.requestSha256, deadline);
    const text = canonicalJsonText(handoff);
    await gateway.rewrite(launchId, { status: 'authorized', handoff: text, handoff_sha256: json.requestSha256 });
    const read = async (): Promise<unknown> =>
      customLaunchResourceSchema.parse((await call(gateway.urlOf(`/${launchId}`), { key: gateway.key })).json).handoff;
    expect(await read()).toEqual(handoff);
    const before = gateway.clock.shiftMs;
    gateway.clock.shiftMs = (deadline + 1) * 1_000 - Date.now();
    try {
      expect(await read()).toBeNull();
      const finality = {
        ...json.finality,
        stage: 'included',
        schemaVersion: 'service.custom-launch-finality.v4',
        launchId,
        transactions: [],
      };
      await gateway.rewrite(launchId, { status: 'sequencer_soft_confirmed', finality: canonicalJsonText(finality) });
      expect(await read()).toEqual(handoff);
    } finally {
      gateway.clock.shiftMs = before;
    }
  });

  it('reports its end, source verification, publication and finality separately', async () => {
    const { launchId } = await created();
    const read = async () =>
      customLaunchResourceSchema.parse((await call(gateway.urlOf(`/${launchId}`), { key: gateway.key })).json);
    const finding = customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxGasCostWei');
    await gateway.rewrite(launchId, { status: 'action_required', findings: canonicalJsonText([finding]) });
    expect(await read()).toMatchObject({
      status: 'action_required',
      findings: [finding],
      sourceVerification: { status: 'not_verified' },
    });
    const failure = {
      code: 'PERMIT_EXPIRED',
      stage: 'awaiting_wallet_signature',
      evidence: null,
      recovery: { action: 'correct_and_resubmit', detail: 'Pack the launch again with a new window.' },
    };
    await gateway.rewrite(launchId, { status: 'failed', failure: canonicalJsonText(failure) });
    expect((await read()).failure).toEqual(failure);
    await gateway.rewrite(launchId, { status: 'finalized', failure: null });
    const finalized = await read();
    expect([finalized.sourceVerification.status, finalized.publication.status, finalized.finality.stage]).toEqual([
      'verified',
      'not_published',
      'pending',
    ]);
  });
});

const handoffOf = (requestSha256: `sha256:${string}`, deadline: number): CustomLaunchHandoff => ({
  schemaVersion: 'service.custom-launch-wallet-handoff.v4',
  requestSha256,
  requestHash: `0x${'1'.repeat(64)}`,
  contextHash: CUSTOM_LAUNCH_CONTEXT_HASH,
  artifactHash: `0x${'2'.repeat(64)}`,
  permitDigest: `0x${'3'.repeat(64)}`,
  metadata: { name: 'Test', symbol: 'TST', imageSha256: requestSha256 },
  validAfter: String(deadline - 1_800),
  deadline: String(deadline),
  expiresAt: new Date(deadline * 1_000).toISOString(),
  createdAt: new Date(deadline * 1_000 - 60_000).toISOString(),
  simulation: {
    blockNumber: '1',
    blockHash: `0x${'4'.repeat(64)}`,
    gasUsed: '1',
    simulatedAt: new Date(deadline * 1_000 - 60_000).toISOString(),
  },
  usdReference: { oneUsdReferenceWei: '1', readAt: new Date(deadline * 1_000 - 60_000).toISOString() },
  walletTransaction: {
    from: CUSTOM_LAUNCH_WALLET,
    to: `0x${'5'.repeat(40)}`,
    chainId: '4663',
    value: '1',
    data: '0x00',
  },
});

describe('a preflight', () => {
  const read = async (request = freshCustomLaunch()) => {
    const answer = await gateway.preflight(bodyBytes(request));
    expect([answer.status, codeOf(answer)]).toEqual([200, expect.stringContaining('200')]);
    return customLaunchPreflightSchema.parse(answer.json);
  };
  const failing = (checkId: string, code: Parameters<typeof customLaunchFinding>[0], path: string): PreflightCheck => ({
    checkId,
    outcome: 'fail',
    dependsOn: [],
    findings: [customLaunchFinding(code, path)],
  });

  it('of the reviewed launch is deployable, and rehearses and stores nothing', async () => {
    const before = [
      await gateway.countOf('launch'),
      await gateway.countOf('nonce_reservation'),
      await gateway.countOf('idempotency_record'),
    ];
    const request = freshCustomLaunch();
    const preflight = await read(request);
    expect(preflight).toMatchObject({
      classification: 'deployable',
      launchEligibility: { deployable: true, disposition: 'deployable', findings: [], remediation: [] },
      coverage: { seedV1: 'proof-available', scenarioIds: ['reviewed-native20-seed'] },
      warnings: [{ code: 'TX_SIMULATION_PENDING' }],
      budgets: { valueWei: request.funding.totalValueWei, gasUpperBoundWei: null, l1DataGasWei: null },
      checkpoint: request.checkpoint,
      persisted: false,
    });
    expect(preflight.checks.map(({ checkId }) => checkId)).toEqual([
      'accepted-context',
      'profile',
      'permit-window',
      'checkpoint',
      'image',
      'usd-reference',
      'economic-coverage',
      'nonce',
    ]);
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({
      ref: { launchId: null, family: 'custom-launch.v4', contextHash: CUSTOM_LAUNCH_CONTEXT_HASH },
    });
    expect([
      await gateway.countOf('launch'),
      await gateway.countOf('nonce_reservation'),
      await gateway.countOf('idempotency_record'),
    ]).toEqual(before);
    await expect(gateway.blobs.get(preflight.requestSha256)).rejects.toMatchObject({ code: 'BLOB_ABSENT' });
  });

  it('reports all independent findings of both judges at once', async () => {
    gateway.chain.held = { kind: 'stale', problem: 'NOT_CANONICAL' };
    gateway.chain.oneUsdWei = 10n ** 30n;
    gateway.workflows.evaluation = async () => judgement(failing('source', 'SOURCE_MANIFEST_MISMATCH', '/source'));
    const request = freshCustomLaunch((one) => {
      one.contextHash = `0x${'9'.repeat(64)}`;
      one.permitWindow = { validAfter: '1', deadline: '2' };
    });
    gateway.chain.used.add(`${CUSTOM_LAUNCH_WALLET} ${request.nonce}`);
    const preflight = await read(request);
    expect([preflight.classification, preflight.warnings]).toEqual(['correction_required', []]);
    expect(new Set(preflight.launchEligibility.findings.map(({ code, path }) => `${code} ${path}`))).toEqual(
      new Set([
        'CHECKPOINT_STALE /checkpoint',
        'CONTEXT_NOT_CURRENT /contextHash',
        'SOURCE_MANIFEST_MISMATCH /source',
        'CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE /funding/initialBuyWei',
        'NONCE_IN_USE /nonce',
        'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID /permitWindow/deadline',
        'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID /permitWindow/validAfter',
      ]),
    );
    expect(preflight.launchEligibility.remediation.length).toBeGreaterThan(0);
  });

  it.each<[string, PreflightCheck, string, string]>([
    [
      'a module',
      failing('modules', 'CUSTOM_LAUNCH_EVIDENCE_REQUIRED', '/moduleSelections'),
      'build_only',
      'static-module',
    ],
    [
      'no buy',
      failing('funded-profile', 'FUNDING_PROFILE_MISMATCH', '/funding/kind'),
      'build_only',
      'hook-owned-pol-no-initial-buy',
    ],
    [
      'unknown templates',
      failing('economic-coverage', 'CUSTOM_LAUNCH_EVIDENCE_REQUIRED', '/graphBundle'),
      'needs_evidence',
      'custom-token-or-initializer',
    ],
    [
      'another pair',
      failing('pool-kind', 'GRAPH_POOL_INVALID', '/graphBundle/officialPool/poolKey/currency0'),
      'unsupported',
      'non-native-pair',
    ],
  ])('of %s is classified by its check', async (_title, check, classification, scenario) => {
    gateway.workflows.evaluation = async () => judgement(check);
    const preflight = await read();
    expect([preflight.classification, preflight.launchEligibility.deployable, preflight.coverage.scenarioIds]).toEqual([
      classification,
      false,
      [scenario],
    ]);
  });

  it('without a usable price asks for a retry, unless there is a finding to report', async () => {
    gateway.chain.oneUsdWei = null;
    const answer = await gateway.preflight(bodyBytes(freshCustomLaunch()));
    const { error } = customLaunchErrorBodySchema.parse(answer.json);
    expect([answer.status, error.code, error.retryable]).toEqual([
      503,
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      true,
    ]);
    const preflight = await read(freshCustomLaunch((one) => (one.contextHash = `0x${'9'.repeat(64)}`)));
    expect(preflight.checks.find(({ checkId }) => checkId === 'usd-reference')?.outcome).toBe('indeterminate');
    gateway.chain.oneUsdWei = 1n;
    gateway.chain.held = { kind: 'indeterminate', reason: 'away' };
    expect(codeOf(await gateway.preflight(bodyBytes(freshCustomLaunch())))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('closed gates', () => {
  it('refuse new requests before they are read, while replays and reads continue', async () => {
    const body = bodyBytes(freshCustomLaunch());
    const { launchId, idempotencyKey } = await created(body);
    await gateway.setGates(false);
    try {
      for (const answer of [
        await gateway.create(bodyBytes(freshCustomLaunch())),
        await gateway.preflight(bodyBytes(freshCustomLaunch())),
        await gateway.create('{'),
      ]) {
        const { error } = customLaunchErrorBodySchema.parse(answer.json);
        expect([answer.status, error.code, error.retryable, answer.headers.get('retry-after')]).toEqual([
          503,
          'LAUNCH_GATES_CLOSED',
          false,
          null,
        ]);
        expect([error.statusUrl, error.findings[0]?.actual]).toEqual([
          '/.well-known/custom-launch.json',
          'PUBLIC_AUTHORIZATION_CLOSED, PUBLIC_WRITES_CLOSED, RELEASE_NOT_DECLARED_READY',
        ]);
      }
      expect((await gateway.create(body, idempotencyKey)).status).toBe(200);
      expect((await call(gateway.urlOf(`/${launchId}`), { key: gateway.key })).status).toBe(200);
      expect((await call(gateway.urlOf(), { key: gateway.key })).status).toBe(200);
    } finally {
      await gateway.setGates(true);
    }
    expect((await gateway.create(bodyBytes(freshCustomLaunch()))).status).toBe(202);
  });
});
