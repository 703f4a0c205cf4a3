import { beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { CHAIN_BASE_PATH, sha256Digest } from '@launch/contracts/primitives';
import {
  launchCapabilitiesSchema,
  launchCoverageSchema,
  launchGuideSchema,
  launchReadinessSchema,
  SCENARIO_IDS,
  STATE_REPORTS,
  type LaunchGate,
  type StateReport,
} from '@launch/contracts/reports';
import { UNBOUND_RELEASE, type ReleaseState } from '../../../core/gates/custom-launch-release.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import type { RouteDefinition } from '@launch/http';
import { testChain } from '../../../fixtures/test-chain.js';
import { LaunchReportsService } from './launch-reports.service.js';

const SCHEMAS = {
  'launch-coverage': launchCoverageSchema,
  'launch-guide': launchGuideSchema,
  capabilities: launchCapabilitiesSchema,
  readiness: launchReadinessSchema,
};
const GATES: readonly LaunchGate[] = ['publicAuthorization', 'publicWrites', 'releaseReady'];
const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const QUOTE = { bytes: new Uint8Array(), contentSha256: sha256Digest(new Uint8Array()) };

let release: ReleaseState;
let open: Set<LaunchGate>;
let nowMs: number;
let hasPrice: boolean;
let routes: readonly Pick<RouteDefinition, 'method' | 'path'>[];
const chain = testChain();
let reports: LaunchReportsService;
beforeEach(() => {
  [release, open, nowMs, hasPrice] = [RELEASE_EXAMPLE, new Set(), 0, true];
  routes = [
    { method: 'post', path: LAUNCHES },
    { method: 'get', path: `${CHAIN_BASE_PATH}/readiness` },
  ];
  chain.block = { blockNumber: '7', blockHash: `0x${'b'.repeat(64)}` };
  reports = new LaunchReportsService(
    new LaunchGatesService(
      { open: async () => new Set(open) },
      { state: () => release, context: () => release.bound?.context ?? null },
      { now: () => (nowMs += 1_000) },
    ),
    {
      get routes() {
        return routes;
      },
    },
    { usable: async () => (hasPrice ? QUOTE : null) },
    chain,
  );
});

async function read<R extends StateReport>(report: R) {
  const { bytes, contentSha256 } = await reports.read(report);
  const text = new TextDecoder().decode(bytes);
  const json: unknown = JSON.parse(text);
  expect([text, contentSha256]).toEqual([canonicalJsonText(json), sha256Digest(bytes)]);
  return SCHEMAS[report].parse(json) as ReturnType<(typeof SCHEMAS)[R]['parse']>;
}
const assessments = async () => new Set((await read('launch-guide')).scenarios.map(({ assessment }) => assessment));

describe('Every report', () => {
  it.each(STATE_REPORTS)('authorizes nothing, with any open gates: %s', async (report) => {
    for (const gates of [[], GATES])
      for (const state of [RELEASE_EXAMPLE, UNBOUND_RELEASE.state()]) {
        [open, release] = [new Set(gates), state];
        const text = JSON.stringify(await read(report));
        expect(text).toContain('"requestAuthorized":false');
        expect(text).not.toContain('"requestAuthorized":true');
      }
  });
});

describe('Without a custom-launch context,', () => {
  beforeEach(() => {
    release = UNBOUND_RELEASE.state();
  });
  const reasonCodes = [
    'CONTEXT_NOT_CONFIGURED',
    'PUBLIC_AUTHORIZATION_CLOSED',
    'PUBLIC_WRITES_CLOSED',
    'RELEASE_NOT_DECLARED_READY',
  ];

  it('everything is unavailable and nothing is evaluated', async () => {
    expect(await read('readiness')).toMatchObject({
      status: 'unavailable',
      reasonCodes,
      profile: null,
      openApiUrl: null,
      openApiSha256: null,
      gates: { publicAuthorization: false, publicWrites: false, releaseReady: false },
    });
    expect(await read('launch-coverage')).toMatchObject({
      serviceReadiness: { status: 'unavailable', reasonCodes },
      representableArchitecture: null,
      activatedVerifierCoverage: { seedV1: 'unavailable' },
    });
    const { scenarios } = await read('launch-guide');
    expect(scenarios.map((one) => [one.scenarioId, one.assessment, one.blockerLayer])).toEqual(
      SCENARIO_IDS.map((id) => [id, 'not-evaluated', 'unclassified']),
    );
    const { features, context } = await read('capabilities');
    expect([context, Object.values(features).some(({ publiclyLaunchable }) => publiclyLaunchable)]).toEqual([
      null,
      false,
    ]);
  });

  it('readiness requests no price, and reports when the observers agree on no block', async () => {
    hasPrice = false;
    expect(await read('readiness')).toMatchObject({ checkpoint: chain.block, reasonCodes });
    chain.block = null;
    expect(await read('readiness')).toMatchObject({
      checkpoint: null,
      reasonCodes: [...reasonCodes, 'CHECKPOINT_NOT_AGREED'],
    });
  });
});

describe('In a deployment of profile 4.1,', () => {
  it('each scenario has its boundary, and the four facts stay apart', async () => {
    const { scenarios } = await read('launch-guide');
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
    expect(await read('launch-coverage')).toMatchObject({
      profile: '4.1.0',
      serviceReadiness: { status: 'unavailable' },
      representableArchitecture: { officialPools: 1, tokenAndHookMayShareAddress: false },
      activatedVerifierCoverage: { seedV1: 'proof-available' },
      requestAuthorization: { requestAuthorized: false },
    });
  });

  it('a seed launch is publicly launchable while every gate is open and the deployment accepts requests', async () => {
    const seed = async () => (await read('capabilities')).features['reviewed-native20-seed'];
    open = new Set(GATES);
    expect(await read('readiness')).toMatchObject({ status: 'ready', reasonCodes: [], openApiUrl: '/v4/openapi.json' });
    expect(await seed()).toMatchObject({ publicRequestSurface: 'custom-launches', publiclyLaunchable: true });
    routes = [{ method: 'get', path: LAUNCHES }];
    expect(await seed()).toMatchObject({ publicRequestSurface: 'not-provided', publiclyLaunchable: false });
  });

  it('the next answer shows a closed gate, another profile and a price feed that differs from the bound one', async () => {
    open = new Set(['publicAuthorization', 'releaseReady']);
    expect(await read('readiness')).toMatchObject({ status: 'unavailable', reasonCodes: ['PUBLIC_WRITES_CLOSED'] });
    expect((await read('capabilities')).features['reviewed-native20-seed'].publiclyLaunchable).toBe(false);
    release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
    expect((await read('readiness')).gates.releaseReady).toBe(false);
    expect((await read('launch-coverage')).activatedVerifierCoverage.seedV1).toBe('unavailable');
    expect(await assessments()).toEqual(new Set(['not-evaluated']));
    release = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, profile: '4.0.0' } };
    expect(await assessments()).toEqual(new Set(['not-evaluated']));
  });

  it('readiness names a missing price and a missing block', async () => {
    open = new Set(GATES);
    hasPrice = false;
    expect((await read('readiness')).reasonCodes).toEqual(['CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED']);
    chain.block = null;
    expect((await read('readiness')).reasonCodes).toEqual([
      'CHECKPOINT_NOT_AGREED',
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
    ]);
  });

  it('the guide marks the steps whose routes this deployment serves', async () => {
    const { workflow } = await read('launch-guide');
    const provided = workflow.flatMap(({ stepId, route }) => (route?.provided === true ? [stepId] : []));
    expect(provided).toEqual(['read-readiness', 'create']);
  });
});
