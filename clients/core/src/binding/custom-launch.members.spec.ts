import { describe, expect, it } from '@jest/globals';
import {
  customLaunchListItemSchema,
  customLaunchListSchema,
  customLaunchPreflightSchema,
  customLaunchResourceSchema,
} from '@launch/contracts/custom-launch';
import type { z } from 'zod';
import {
  planListItemV12Schema,
  planListV12Schema,
  planPreflightSchema,
  planResourceV12Schema,
} from '@launch/contracts/plans';
import {
  finalizedLaunch,
  launchPreflight,
  planPreflight,
  waitingBatch,
  waitingLaunch,
  waitingPlan,
} from '../fixtures/custom-launch-answers.fixture.js';
import { bindingCase, untestedMembers } from '../fixtures/bound-members.fixture.js';
import {
  CUSTOM_LAUNCH_LIST_MEMBERS,
  CUSTOM_LAUNCH_MEMBERS,
  CUSTOM_LAUNCH_PREFLIGHT_MEMBERS,
  faultsOf,
  PLAN_LIST_MEMBERS,
  PLAN_MEMBERS,
  PLAN_PREFLIGHT_MEMBERS,
  PROVED_PLAN_MEMBERS,
  type SentLaunch,
} from './index.js';

const word = (digit: string): string => `0x${digit.repeat(64)}`;
const SENT: SentLaunch = {
  requestSha256: `sha256:${'1'.repeat(64)}`,
  requestHash: word('1'),
  contextHash: word('2'),
  profile: '4.1.0',
  launchWallet: `0x${'3'.repeat(40)}`,
  permitWindow: { validAfter: '1763734980', deadline: '1763736780' },
  checkpoint: { blockNumber: '4087', blockHash: word('4') },
  budgets: { maxLaunchValueWei: '20', maxGasCostWei: '5' },
  totalValueWei: '10',
  metadata: { name: 'Atlas', symbol: 'ATL', imageSha256: `sha256:${'5'.repeat(64)}` },
  components: ['token', 'hook'].map((componentId, index) => ({
    componentId,
    account: `0x${String(6 + index).repeat(40)}`,
    runtimeCodeHash: word('8'),
  })),
  router: `0x${'9'.repeat(40)}`,
  artifactHash: word('a'),
  onchainLaunchId: word('b'),
  planDigest: `sha256:${'c'.repeat(64)}`,
  stepIds: ['deploy-token', 'deploy-hook', 'register'],
};
/** The members of a launch without an inclusion. */
const UNFINISHED_MEMBERS = CUSTOM_LAUNCH_MEMBERS.filter(({ path }) => !path.startsWith('/finality/l2Inclusion'));
/** The members of each form of an authorization. */
const BATCH_ONLY = /authorization\/calls/;
const TRANSACTION_ONLY = /authorization\/(from|to|value|requestSha256|artifactSha256)$/;
const BATCH_PLAN_MEMBERS = PLAN_MEMBERS.filter(
  ({ path }) => !TRANSACTION_ONLY.test(path) && !path.includes('/finality/l2Inclusion'),
);
const TRANSACTION_PLAN_MEMBERS = PLAN_MEMBERS.filter(({ path }) => !BATCH_ONLY.test(path));

const [launch, plan, batch] = [waitingLaunch(SENT), waitingPlan(SENT), waitingBatch(SENT)];
const { launchId } = launch;
const { planId } = plan;
const { handoff: _handoff, ...listed } = launch;
const item = customLaunchListItemSchema.parse({
  ...listed,
  schemaVersion: 'service.custom-launch-list-item.v4',
  handoffUrl: launch.links.self,
});
const earlier = customLaunchListItemSchema.parse({
  ...item,
  handoffUrl: null,
  launchId: launchId.replace(/.$/, '9'),
  createdAt: '2026-11-22T14:00:00.000Z',
  launchUrl: launch.launchUrl!.replace(/.$/, '9'),
  walletUrl: launch.walletUrl!.replace(/.$/, '9'),
  links: Object.fromEntries(['self', 'statusUrl'].map((name) => [name, launch.links.self.replace(/.$/, '9')])),
});

const planItem = planListItemV12Schema.parse({
  ...plan,
  schemaVersion: 'service.custom-launch-plan-list-item.v1.2',
  steps: plan.steps.map(({ authorization: _authorization, ...step }) => step),
  handoffUrl: plan.resumeUrl,
});

/** Members that a read without the request cannot compare: the items of a page are of many requests. */
const ofRequests = (members: readonly { readonly path: string }[], response: unknown, schema: z.ZodType) =>
  new Set(
    untestedMembers({ members: members as never, response, subject: {}, schema, lies: [] }).untested.map(
      (path) => `/items/*${path}`,
    ),
  );

describe('Each bound member', () => {
  it.each([
    [
      'a custom launch',
      bindingCase(UNFINISHED_MEMBERS, launch, { id: launchId, request: SENT }, customLaunchResourceSchema, [
        ['/status', 'finalized'],
      ]),
    ],
    [
      'a finalized custom launch',
      bindingCase(
        // Its wallet has nothing to sign.
        CUSTOM_LAUNCH_MEMBERS.filter(({ path }) => path !== '/status' && path !== '/walletUrl'),
        finalizedLaunch(SENT),
        { id: launchId, request: SENT },
        customLaunchResourceSchema,
      ),
    ],
    [
      'a preflight of a custom launch',
      bindingCase(CUSTOM_LAUNCH_PREFLIGHT_MEMBERS, launchPreflight(SENT), SENT, customLaunchPreflightSchema, [
        ['/checks/1/checkId', 'accepted-context'],
      ]),
    ],
    [
      'a plan',
      bindingCase(TRANSACTION_PLAN_MEMBERS, plan, { id: planId, request: SENT }, planResourceV12Schema, [
        ['/status', 'finalized'],
      ]),
    ],
    [
      'an Atomic plan',
      bindingCase(
        BATCH_PLAN_MEMBERS,
        batch,
        { id: planId, request: { ...SENT, stepIds: ['atomic-launch'] } },
        planResourceV12Schema,
        [
          ['/status', 'finalized'],
          ['/steps/0/authorization/calls', []],
          ['/steps/0/dependsOn', ['register']],
        ],
      ),
    ],
    [
      'a plan after a proof',
      bindingCase(
        PROVED_PLAN_MEMBERS.filter(({ path }) => path === '/steps' || path === '/planId'),
        { ...plan, steps: plan.steps.map((step) => ({ ...step, status: 'included' as const })) },
        { planId, stepId: 'deploy-token', transactionHash: plan.steps[0]!.transactions[0]!.transactionHash },
        planResourceV12Schema,
      ),
    ],
    [
      'a preflight of a plan',
      bindingCase(PLAN_PREFLIGHT_MEMBERS, planPreflight(SENT), SENT, planPreflightSchema, [
        ['/checks/1/checkId', 'controller'],
      ]),
    ],
  ])('refuses another value in its place in %s, which is otherwise accepted', (_name, one) => {
    expect(untestedMembers(one)).toEqual({ faults: [], untested: [] });
  });

  it('refuses a finalized launch or step whose transaction reverted, and a finalized status at another stage', () => {
    const final = finalizedLaunch(SENT);
    const reverted = structuredClone(final);
    reverted.finality.l2Inclusion!.receiptStatus = 'reverted';
    expect(faultsOf(CUSTOM_LAUNCH_MEMBERS, reverted, { request: SENT })).toEqual([
      '/finality/l2Inclusion/receiptStatus',
    ]);
    const pending = { ...final, finality: launch.finality };
    expect(faultsOf(CUSTOM_LAUNCH_MEMBERS, pending, { request: SENT })).toEqual(['/status']);

    const undone = structuredClone(plan);
    undone.steps[0]!.finality.l2Inclusion!.receiptStatus = 'reverted';
    expect(faultsOf(PLAN_MEMBERS, undone, { request: SENT })).toEqual(['/steps/0/finality/l2Inclusion/receiptStatus']);
    const early = { ...plan, steps: plan.steps.map((one) => ({ ...one, finality: plan.steps[1]!.finality })) };
    expect(faultsOf(PLAN_MEMBERS, early, { request: SENT })).toEqual(['/steps/0/status']);
    const ended = { ...plan, status: 'finalized' as const };
    expect(faultsOf(PLAN_MEMBERS, ended, { request: SENT })).toEqual(['/status']);
  });

  it.each([
    [
      'a page of custom launches',
      bindingCase(
        CUSTOM_LAUNCH_LIST_MEMBERS,
        { schemaVersion: 'service.custom-launch-list.v4' as const, items: [item, earlier], nextCursor: 'next' },
        { limit: 2, cursor: 'sent' },
        customLaunchListSchema,
        [
          ['/items', [item, earlier, earlier]],
          ['/nextCursor', 'sent'],
        ],
      ),
      ofRequests(CUSTOM_LAUNCH_MEMBERS, launch, customLaunchResourceSchema),
    ],
    [
      'a page of plans',
      bindingCase(
        PLAN_LIST_MEMBERS,
        { schemaVersion: 'service.custom-launch-plan-list.v1.2' as const, items: [planItem], nextCursor: 'next' },
        { limit: 1, cursor: 'sent' },
        planListV12Schema,
        [
          ['/items', [planItem, planItem]],
          ['/items', [planItem, { ...planItem, createdAt: '2031-01-01T00:00:00.000Z' }]],
          ['/nextCursor', 'sent'],
        ],
      ),
      ofRequests(PLAN_MEMBERS, plan, planResourceV12Schema),
    ],
  ])(
    'refuses another value in its place in %s, except where the request of an item determines it',
    (_name, one, excused) => {
      const { faults, untested } = untestedMembers(one);
      expect([faults, untested.filter((path) => !excused.has(path))]).toEqual([[], []]);
      expect(excused.has('/items/*/requestSha256')).toBe(true);
    },
  );
});
