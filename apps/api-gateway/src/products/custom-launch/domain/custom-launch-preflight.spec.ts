import { describe, expect, it } from '@jest/globals';
import { customLaunchPreflightSchema, type CustomLaunchRequest } from '@launch/contracts/custom-launch';
import { customLaunchFinding } from '@launch/contracts/errors';
import type { PreflightCheck } from '@launch/contracts/orchestration';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { customLaunchForm } from '../../../core/launches/custom-launch/custom-launch.form.js';
import {
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
  freshCustomLaunch,
  judgement,
} from '../../../fixtures/custom-launch-request.js';
import { CUSTOM_LAUNCH_CALLER, judgedCustomLaunches } from '../../../fixtures/judged-custom-launches.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { customLaunchPreflight } from './custom-launch-preflight.js';

function preflights() {
  const judged = judgedCustomLaunches();
  const evaluate = async (request: CustomLaunchRequest = freshCustomLaunch()) => {
    const body = Buffer.from(bodyBytes(request));
    const gone = new AbortController().signal;
    const preflight = await judged.preflights.evaluate(customLaunchForm, CUSTOM_LAUNCH_CALLER, body, gone);
    return customLaunchPreflightSchema.parse(customLaunchPreflight(preflight, 'proof-available'));
  };
  return { ...judged, evaluate };
}
const failing = (checkId: string, code: Parameters<typeof customLaunchFinding>[0], path: string): PreflightCheck => ({
  checkId,
  outcome: 'fail',
  dependsOn: [],
  findings: [customLaunchFinding(code, path)],
});
const ofAnotherContext = () => freshCustomLaunch((one) => (one.contextHash = `0x${'9'.repeat(64)}`));

describe('A preflight of a custom launch', () => {
  it('finds the reviewed launch deployable, rehearses nothing and leaves no byte', async () => {
    const { workflows, blobs, evaluate } = preflights();
    const request = freshCustomLaunch();
    const preflight = await evaluate(request);
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
    expect(workflows.inputs).toMatchObject([
      { ref: { launchId: null, family: 'custom-launch.v4', contextHash: CUSTOM_LAUNCH_CONTEXT_HASH } },
    ]);
    expect(blobs.stored()).toEqual([]);
  });

  it('reports all independent findings of both judges at once', async () => {
    const { chain, workflows, evaluate } = preflights();
    chain.held = { kind: 'stale', problem: 'NOT_CANONICAL' };
    chain.oneUsdWei = 10n ** 30n;
    workflows.evaluation = async () => judgement(failing('source', 'SOURCE_MANIFEST_MISMATCH', '/source'));
    const request = freshCustomLaunch((one) => {
      one.contextHash = `0x${'9'.repeat(64)}`;
      one.permitWindow = { validAfter: '1', deadline: '2' };
    });
    chain.used.add(`${CUSTOM_LAUNCH_WALLET} ${request.nonce}`);
    const preflight = await evaluate(request);
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
  ])('with %s is classified by the failing check', async (_fault, check, classification, scenario) => {
    const { workflows, evaluate } = preflights();
    workflows.evaluation = async () => judgement(check);
    const preflight = await evaluate();
    expect([preflight.classification, preflight.launchEligibility.deployable, preflight.coverage.scenarioIds]).toEqual([
      classification,
      false,
      [scenario],
    ]);
  });

  it('without a usable price asks for a retry, unless there is a finding to report', async () => {
    const { chain, evaluate } = preflights();
    chain.oneUsdWei = null;
    const refused = await refusalOfWork(() => evaluate());
    expect([refused.status, refused.code, refused.retryable]).toEqual([
      503,
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      true,
    ]);
    const { checks } = await evaluate(ofAnotherContext());
    expect(checks.find(({ checkId }) => checkId === 'usd-reference')?.outcome).toBe('indeterminate');
  });

  it('asks for a retry while the checkpoint, the nonce or the window cannot be judged', async () => {
    for (const state of [
      { held: { kind: 'indeterminate', reason: 'away' } },
      { agrees: false },
      { clockSeconds: () => null },
    ]) {
      const { chain, evaluate } = preflights();
      Object.assign(chain, state);
      expect((await refusalOfWork(() => evaluate())).code).toBe('SERVICE_UNAVAILABLE');
    }
  });
});
