import { describe, expect, it } from '@jest/globals';
import { customLaunchFinding } from '@launch/contracts/errors';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import type { PlanMode } from '@launch/contracts/plans';
import { canonicalSha256, sha256Digest } from '@launch/contracts/primitives';
import { planOf } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-corpus.fixture.js';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { freshCustomLaunch, judgement } from '../../../fixtures/custom-launch-request.js';
import { CUSTOM_LAUNCH_CALLER, judgedCustomLaunches, openGates } from '../../../fixtures/judged-custom-launches.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { PlanCreation } from './plan-creation.js';
import { planForm } from './plan-form.js';

const STRANGER = { ...CUSTOM_LAUNCH_CALLER, controllers: [`0x${'4'.repeat(40)}`] };
function freshPlan(mode: PlanMode = 'sequential', change: (plan: any) => void = () => undefined): Uint8Array {
  const plan = planOf(freshCustomLaunch(), mode);
  change(plan);
  return bodyBytes(plan);
}

/** Returns the creation of plans; `admit` judges a body as far as its reservation. */
function creations() {
  const judged = judgedCustomLaunches();
  const creations = new PlanCreation(openGates, judged.judge);
  const admit = async (
    body: Uint8Array | string,
    version: PlanResponseVersion = '1.2',
    caller = CUSTOM_LAUNCH_CALLER,
  ) => {
    const creation = creations.under(version);
    const bytes = Buffer.from(body);
    return creation.admit(await creation.judge(bytes, sha256Digest(bytes), caller));
  };
  return { ...judged, admit };
}
const codesOf = ({ findings }: { readonly findings: readonly { readonly code: string }[] }) =>
  findings.map(({ code }) => code).sort();

describe('The judge of a plan', () => {
  it.each<[string, (plan: any) => void, string]>([
    ['another profile', (one) => (one.profile = '4.0.0'), 'SCHEMA_INVALID'],
    ['another chain', (one) => (one.chainId = '1'), 'SCHEMA_INVALID'],
    ['another mode', (one) => (one.mode = 'parallel'), 'SCHEMA_INVALID'],
    ['module selections', (one) => (one.moduleSelections = []), 'SCHEMA_UNKNOWN_FIELD'],
    ['a token that is the hook', (one) => (one.graphBundle.components[0].roleMask = 3), 'SCHEMA_INVALID'],
    ['another context', (one) => (one.contextHash = `0x${'9'.repeat(64)}`), 'CONTEXT_NOT_CURRENT'],
    [
      'a window that is over',
      (one) => (one.permitWindow = { validAfter: '1000', deadline: '1001' }),
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
    ],
    ['a wrong sum', (one) => (one.funding.totalValueWei = '1'), 'FUNDING_TOTAL_MISMATCH'],
    ['an LP fee', (one) => (one.graphBundle.officialPool.poolKey.fee = 3_000), 'GRAPH_POOL_INVALID'],
  ])('refuses %s', async (_fault, change, code) => {
    const refused = await refusalOfWork(() => creations().admit(freshPlan('sequential', change)));
    expect(codesOf(refused)).toContain(code);
  });

  it.each<[string, string, string]>([
    ['no bytes', '', 'JSON_EMPTY'],
    ['a duplicate member', '{"a":1,"a":2}', 'JSON_DUPLICATE_KEY'],
    ['a second value', '{} {}', 'JSON_TRAILING_DATA'],
  ])('refuses a body of %s', async (_fault, body, code) => {
    expect((await refusalOfWork(() => creations().admit(body))).code).toBe(code);
  });

  it('reports another wallet, a stale checkpoint, a wrong sum and too old a version at once', async () => {
    const { chain, admit } = creations();
    chain.held = { kind: 'stale', problem: 'TOO_OLD' };
    const plan = freshPlan('atomic', (one) => (one.funding.totalValueWei = '1'));
    expect(codesOf(await refusalOfWork(() => admit(plan, '1.0', STRANGER)))).toEqual([
      'CHECKPOINT_STALE',
      'FUNDING_TOTAL_MISMATCH',
      'RESPONSE_VERSION_TOO_OLD',
      'WALLET_BINDING_MISMATCH',
    ]);
  });

  it('admits an Atomic plan under 1.2 alone, and a sequential one under every version', async () => {
    for (const version of ['1.0', '1.1'] as const) {
      expect((await refusalOfWork(() => creations().admit(freshPlan('atomic'), version))).code).toBe(
        'RESPONSE_VERSION_TOO_OLD',
      );
      await creations().admit(freshPlan(), version);
    }
    await creations().admit(freshPlan('atomic'), '1.2');
  });
});

describe('A preflight of a plan', () => {
  it('reports the faults of the request together with those of its sources', async () => {
    const { chain, workflows, preflights } = judgedCustomLaunches();
    chain.held = { kind: 'stale', problem: 'TOO_OLD' };
    chain.oneUsdWei = 10n ** 30n;
    workflows.evaluation = async () =>
      judgement({
        checkId: 'compilation',
        outcome: 'fail',
        dependsOn: [],
        findings: [customLaunchFinding('COMPILER_ERROR', '/source')],
      });
    const plan = planOf(freshCustomLaunch(), 'sequential');
    plan.contextHash = `0x${'9'.repeat(64)}`;
    const gone = new AbortController().signal;
    const body = Buffer.from(bodyBytes(plan));
    const { read, checks, shared } = await preflights.evaluate(planForm, STRANGER, body, gone);
    expect(codesOf(shared.launchEligibility)).toEqual([
      'CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE',
      'CHECKPOINT_STALE',
      'COMPILER_ERROR',
      'CONTEXT_NOT_CURRENT',
      'WALLET_BINDING_MISMATCH',
    ]);
    expect([shared.launchEligibility.disposition, shared.warnings]).toEqual(['correction_required', []]);
    expect(checks.map(({ checkId }) => checkId)).toContain('nonce');
    expect(read.form.planDigest).toBe(canonicalSha256(plan));
  });
});
