import { describe, expect, it } from '@jest/globals';
import {
  canShowPlan,
  planListOf,
  planListSchema,
  planListV11Schema,
  planListV12Schema,
  planResourceOf,
  planResourceSchema,
  planResourceV11Schema,
  planResourceV12Schema,
  type PlanResourceV12,
} from './plan-resource.schema.js';
import { PLAN_RESPONSE_VERSIONS } from '../launch/plan-versions.js';

const word = (digit: string) => `0x${digit.repeat(64)}` as const;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const account = `0x${'a'.repeat(40)}` as const;
const AT = '2026-11-01T00:00:00.000Z';
const window = { validAfter: '1900000000', deadline: '1900001800' };

const authorization = {
  form: 'transaction.v1',
  from: account,
  to: account,
  chainId: '4663',
  value: '0',
  data: '0x6001',
  ...window,
  requestSha256: digest('1'),
  artifactSha256: digest('2'),
  simulation: { blockNumber: '7', blockHash: word('3'), gasUsed: '21000' },
} as const;
const plan: PlanResourceV12 = planResourceV12Schema.parse({
  schemaVersion: 'service.custom-launch-plan-resource.v1.2',
  planId: '3f0e2d1c-0b1a-4c2d-8e3f-405162738495',
  planDigest: digest('4'),
  requestSha256: digest('1'),
  status: 'awaiting_wallet',
  createdAt: AT,
  updatedAt: AT,
  expiresAt: AT,
  launchWallet: account,
  resumeUrl: '/v4/chains/4663/custom-launch-plans/3f0e2d1c-0b1a-4c2d-8e3f-405162738495',
  findings: [],
  progress: { completedSteps: 0, totalSteps: 1, nextStepId: 'register' },
  steps: [
    {
      stepId: 'register',
      ordinal: 0,
      kind: 'register',
      status: 'awaiting_signature',
      dependsOn: [],
      authorization,
      transactions: [],
      finality: {
        stage: 'pending',
        l2Inclusion: null,
        l1Posting: null,
        l1FinalizedCheckpoint: null,
        estimatedNextStageAt: null,
      },
    },
  ],
  launchUrl: 'https://launch.example/launches/3f0e2d1c-0b1a-4c2d-8e3f-405162738495',
  walletUrl: 'https://launch.example/wallet/plans/3f0e2d1c-0b1a-4c2d-8e3f-405162738495',
  continuation: null,
});
const atomic: PlanResourceV12 = planResourceV12Schema.parse({
  ...plan,
  steps: [
    {
      ...plan.steps[0]!,
      stepId: 'atomic-launch',
      kind: 'atomic_launch',
      authorization: {
        form: 'atomic.v1',
        calls: [{ to: account, value: '0', data: '0x6001' }],
        atomicRequired: true,
        capabilities: { '0x1237': { atomic: { status: 'supported' } } },
        ...window,
        digest: word('5'),
      },
    },
  ],
});
const SCHEMAS = { '1.0': planResourceSchema, '1.1': planResourceV11Schema, '1.2': planResourceV12Schema };

describe('A plan under a response version', () => {
  it.each(PLAN_RESPONSE_VERSIONS)('has the same authorization in %s and no member of another version', (version) => {
    const shown = planResourceOf(plan, version);
    expect(SCHEMAS[version].parse(shown).steps[0]!.authorization).toEqual(authorization);
    for (const [other, schema] of Object.entries(SCHEMAS))
      expect(schema.safeParse({ ...shown, schemaVersion: schema.shape.schemaVersion.value }).success).toBe(
        other === version,
      );
  });

  it('shows finality and progress from 1.1 on, and wallet page and advice in 1.2', () => {
    const members = PLAN_RESPONSE_VERSIONS.map((version) => {
      const shown = planResourceOf(plan, version);
      return (
        ['progress', 'walletUrl', 'continuation'].filter((member) => member in shown).length * 10 +
        Number('finality' in shown.steps[0]!)
      );
    });
    expect(members).toEqual([0, 11, 31]);
  });

  it('is shown by 1.2 only when it is Atomic', () => {
    expect(planResourceOf(atomic, '1.2')).toEqual(atomic);
    for (const version of PLAN_RESPONSE_VERSIONS) {
      expect(canShowPlan(version, 'sequential')).toBe(true);
      expect(canShowPlan(version, 'atomic')).toBe(version === '1.2');
      if (version !== '1.2') expect(() => planResourceOf(atomic, version)).toThrow();
    }
  });
});

describe('A plan in a list', () => {
  const LISTS = { '1.0': planListSchema, '1.1': planListV11Schema, '1.2': planListV12Schema };
  const data = `0x${'5a'.repeat(128 * 1024)}` as const;
  const step = { ...plan.steps[0]!, authorization: { ...authorization, data } };
  const largest = Array.from({ length: 25 }, () => ({ ...plan, steps: Array.from({ length: 17 }, () => step) }));

  it.each(PLAN_RESPONSE_VERSIONS)('links its authorizations in %s, so that a page has no calldata', (version) => {
    const text = JSON.stringify(planListOf(largest, null, version));
    expect(text.length).toBeLessThan(512 * 1024);
    const { items } = LISTS[version].parse(JSON.parse(text));
    expect(items.map(({ handoffUrl }) => handoffUrl)).toEqual(Array(25).fill(plan.resumeUrl));
    expect(items[0]!.steps).toHaveLength(17);
    expect(text).not.toMatch(/"(?:authorization|data|calls)"/);
  });

  it('links the batch of an Atomic plan, and nothing while it offers no step', () => {
    const blocked = { ...plan, steps: [{ ...plan.steps[0]!, status: 'blocked' as const, authorization: null }] };
    const { items } = planListV12Schema.parse(planListOf([atomic, blocked], null, '1.2'));
    expect(items.map(({ handoffUrl }) => handoffUrl)).toEqual([plan.resumeUrl, null]);
    expect(() => planListOf([atomic], null, '1.1')).toThrow(TypeError);
  });
});
