import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  INITIAL_BUY_QUOTE_PATH,
  STATE_REPORTS,
  launchCapabilitiesSchema,
  launchCoverageSchema,
  launchGuideSchema,
  launchReadinessSchema,
  launchReportPath,
  SCENARIO_IDS,
} from '@launch/contracts/reports';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, rawCall } from '../../../fixtures/http.client.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { LaunchGatesRepository } from '../../../core/gates/launch-gates.repository.js';
import type { ReleaseState } from '../../../core/gates/custom-launch-release.js';

const SCHEMAS = {
  'launch-coverage': launchCoverageSchema,
  'launch-guide': launchGuideSchema,
  capabilities: launchCapabilitiesSchema,
  readiness: launchReadinessSchema,
};

/** Without a custom-launch release; with one, on the same database; with one and two of the reports. */
let unbound: Harness;
let bound: Harness;
let partial: Harness;
let release: ReleaseState = RELEASE_EXAMPLE;
beforeAll(async () => {
  unbound = await startHarness();
  bound = await startHarness({
    beside: unbound,
    customLaunchRelease: { state: () => release, context: () => RELEASE_EXAMPLE.bound!.context },
  });
  partial = await startHarness({
    beside: unbound,
    customLaunchRelease: { state: () => RELEASE_EXAMPLE, context: () => RELEASE_EXAMPLE.bound!.context },
    reports: ['launch-guide', 'readiness'],
  });
});
afterAll(async () => {
  await partial.close();
  await bound.close();
  await unbound.close();
});

const read = (gateway: Harness, report: (typeof STATE_REPORTS)[number], headers = {}) =>
  call(`${gateway.url}${launchReportPath(report)}`, { headers });
const readiness = async (gateway: Harness) => launchReadinessSchema.parse((await read(gateway, 'readiness')).json);
const guide = async (gateway: Harness) => launchGuideSchema.parse((await read(gateway, 'launch-guide')).json);
const capabilities = async (gateway: Harness) =>
  launchCapabilitiesSchema.parse((await read(gateway, 'capabilities')).json);
const coverage = async (gateway: Harness) => launchCoverageSchema.parse((await read(gateway, 'launch-coverage')).json);

describe('each report', () => {
  it.each(STATE_REPORTS)('%s is canonical JSON of its closed schema under an entity tag', async (report) => {
    const answer = await read(unbound, report);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(SCHEMAS[report].safeParse(answer.json).error?.issues ?? []).toEqual([]);
    expect(answer.text).toBe(canonicalJsonText(answer.json));
    const again = await read(unbound, report, { 'if-none-match': answer.headers.get('etag') });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(STATE_REPORTS)('%s authorizes nothing, with any open gates', async (report) => {
    for (const gateway of [unbound, bound]) {
      const { text } = await read(gateway, report);
      expect(text).toContain('"requestAuthorized":false');
      expect(text).not.toContain('"requestAuthorized":true');
    }
  });

  it.each(STATE_REPORTS)('%s does not read an Authorization header, and tries no key', async (report) => {
    const plain = await read(unbound, report);
    for (const authorization of ['Bearer nonsense', `Bearer ${(await unbound.issueKey()).key}`, 'Basic x', '']) {
      const answer = await read(unbound, report, { authorization });
      expect([authorization, answer.status, answer.text]).toEqual([authorization, 200, plain.text]);
    }
  });

  it.each(STATE_REPORTS)('%s takes no query and no body', async (report) => {
    const path = launchReportPath(report);
    expect(codeOf(await call(`${unbound.url}${path}?x=1`))).toBe('QUERY_NOT_ALLOWED');
    for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const answer = await rawCall(unbound.url, { method: 'GET', path, headers, chunks: [Buffer.from('{}')] });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BODY_NOT_ALLOWED']);
    }
    const empty = await rawCall(unbound.url, { method: 'GET', path, headers: { 'content-length': '0' } });
    expect(empty.status).toBe(200);
  });

  it.each(STATE_REPORTS)(
    '%s is 404 where a deployment with a custom-launch context has switched it off, alone',
    async (report) => {
      const provided = ['launch-guide', 'readiness'].includes(report);
      const answer = await read(partial, report);
      expect([answer.status, provided ? 'ok' : codeOf(answer)]).toEqual(provided ? [200, 'ok'] : [404, 'NOT_FOUND']);
      expect(partial.openapi.routes.some(({ path }) => path === launchReportPath(report))).toBe(provided);
    },
  );

  it('the initial-buy quote is 404 without a custom-launch context, and where it is switched off', async () => {
    for (const gateway of [unbound, partial])
      expect(codeOf(await call(`${gateway.url}${INITIAL_BUY_QUOTE_PATH}`))).toBe('NOT_FOUND');
    expect(codeOf(await call(`${bound.url}${INITIAL_BUY_QUOTE_PATH}`))).not.toBe('NOT_FOUND');
  });
});

describe('without a custom-launch context', () => {
  it('everything is unavailable and nothing is evaluated', async () => {
    const reasonCodes = [
      'CONTEXT_NOT_CONFIGURED',
      'PUBLIC_AUTHORIZATION_CLOSED',
      'PUBLIC_WRITES_CLOSED',
      'RELEASE_NOT_DECLARED_READY',
    ];
    expect(await readiness(unbound)).toMatchObject({
      status: 'unavailable',
      reasonCodes,
      profile: null,
      openApiUrl: null,
      openApiSha256: null,
      gates: { publicAuthorization: false, publicWrites: false, releaseReady: false },
    });
    expect(await coverage(unbound)).toMatchObject({
      serviceReadiness: { status: 'unavailable', reasonCodes },
      representableArchitecture: null,
      activatedVerifierCoverage: { seedV1: 'unavailable' },
    });
    const { scenarios, workflow } = await guide(unbound);
    expect(scenarios.map((one) => [one.scenarioId, one.assessment, one.blockerLayer])).toEqual(
      SCENARIO_IDS.map((id) => [id, 'not-evaluated', 'unclassified']),
    );
    expect(workflow.flatMap(({ stepId, route }) => (route?.provided === true ? [stepId] : []))).toEqual([
      'read-readiness',
      'read-capabilities',
      'preflight',
      'create',
      'wait',
      'read-finalized',
    ]);
    const { features, context } = await capabilities(unbound);
    expect([context, Object.values(features).some(({ publiclyLaunchable }) => publiclyLaunchable)]).toEqual([
      null,
      false,
    ]);
  });

  it('readiness tells a block that both observers have, and says when they have none', async () => {
    expect((await readiness(unbound)).checkpoint).toEqual(unbound.chain.block);
    const { block } = unbound.chain;
    try {
      unbound.chain.block = null;
      const { checkpoint, reasonCodes } = await readiness(unbound);
      expect([checkpoint, reasonCodes.at(-1)]).toEqual([null, 'CHECKPOINT_NOT_AGREED']);
    } finally {
      unbound.chain.block = block;
    }
  });
});

describe('bound to profile 4.1', () => {
  it('each scenario has its boundary, and the four facts stay apart', async () => {
    const { scenarios } = await guide(bound);
    const by = (assessment: string, layer: string) =>
      scenarios
        .filter((one) => one.assessment === assessment && one.blockerLayer === layer)
        .map(({ scenarioId }) => scenarioId);
    expect(by('requires-exact-preflight', 'request')).toEqual(['reviewed-native20-seed']);
    expect(by('platform-change-required', 'transport')).toEqual([
      'combined-token-hook',
      'no-pool',
      'multiple-pools',
      'non-native-pair',
      'static-module',
    ]);
    expect(by('platform-change-required', 'policy')).toEqual(['hook-owned-pol-no-initial-buy', 'stateful-module']);
    expect(by('server-evidence-required', 'verifier')).toEqual([
      'custom-token-or-initializer',
      'return-delta-settlement',
      'custom-curve-or-auction',
    ]);
    expect(by('not-evaluated', 'unclassified')).toEqual(['unclassified-mechanism']);
    // The gates are closed: the proof is there, the service is not ready, and no request is authorized.
    expect(await coverage(bound)).toMatchObject({
      profile: '4.1.0',
      serviceReadiness: { status: 'unavailable' },
      representableArchitecture: { officialPools: 1, tokenAndHookMayShareAddress: false },
      activatedVerifierCoverage: { seedV1: 'proof-available' },
      requestAuthorization: { requestAuthorized: false },
    });
  });

  it('a closed gate, another profile and a price feed that is not as bound each show in the next answer', async () => {
    const gates = new LaunchGatesRepository(unbound.database);
    for (const gate of ['publicAuthorization', 'publicWrites', 'releaseReady'] as const)
      await gates.set({ gates: [gate], isOpen: true, setBy: 'test' });
    bound.clock.shiftMs += 1_000;
    expect(await readiness(bound)).toMatchObject({ status: 'ready', reasonCodes: [], openApiUrl: '/v4/openapi.json' });
    expect((await capabilities(bound)).features['reviewed-native20-seed']).toMatchObject({
      publicRequestSurface: 'custom-launches',
      publiclyLaunchable: true,
    });
    await gates.set({ gates: ['publicWrites'], isOpen: false, setBy: 'test' });
    bound.clock.shiftMs += 1_000;
    expect(await readiness(bound)).toMatchObject({ status: 'unavailable', reasonCodes: ['PUBLIC_WRITES_CLOSED'] });

    release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
    expect((await readiness(bound)).gates.releaseReady).toBe(false);
    expect((await coverage(bound)).activatedVerifierCoverage.seedV1).toBe('unavailable');
    expect(new Set((await guide(bound)).scenarios.map(({ assessment }) => assessment))).toEqual(
      new Set(['not-evaluated']),
    );
    release = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, profile: '4.0.0' } };
    expect(new Set((await guide(bound)).scenarios.map(({ assessment }) => assessment))).toEqual(
      new Set(['not-evaluated']),
    );
  });
});
