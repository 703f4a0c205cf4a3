import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planWorkflowId } from '@launch/contracts/orchestration';
import { PLAN_RESPONSE_VERSIONS } from '@launch/contracts/launch';
import type { Hex } from '@launch/contracts/primitives';
import { publishedRecord, runSequentialPlan } from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { PlanDesk, stepOf } from './fixtures/plan-desk.fixture.js';
import { workflowsFoundBy } from './fixtures/workflow-list.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const ENDS_WITHIN_MS = 300_000;
const BUNDLES = path.resolve(import.meta.dirname, '../../../clients/multi-role/bundles');

let stack: StackAccess;
let desk: PlanDesk;
let temporal: TemporalClient;
beforeAll(async () => {
  stack = await useStack('launches');
  desk = await PlanDesk.open(stack);
  temporal = await connectTemporal(stack.stack.temporal);
}, STARTS_WITHIN_MS);
afterAll(() => temporal?.close());

interface Shown {
  readonly schemaVersion: string;
  readonly steps: readonly { readonly stepId: string; readonly authorization: unknown }[];
}

describe('a sequential plan through the real parts', () => {
  it(
    'is finalized step by step without a proof, and shows every version the same authorizations',
    async () => {
      const stages: string[] = [];
      const { launchId, record } = await runSequentialPlan({
        stack: stack.stack,
        bundles: BUNDLES,
        workDir: path.join(await mkdtemp(path.join(stack.dir, 'plan-')), 'plan'),
        apiKey: desk.apiKey,
        onStage: (stage) => stages.push(stage),
        timeoutMs: ENDS_WITHIN_MS,
      });
      expect(stages.slice(0, 3)).toEqual(['packed', 'preflighted', 'reserved']);
      expect(stages.slice(3, 9)).toEqual(
        ['deploy-initializer', 'deploy-token', 'deploy-hook'].flatMap((id) => [`${id} offered`, `${id} included`]),
      );
      expect(stages.slice(9)).toEqual(['register offered', 'included', 'finalized', 'read from the public feed']);
      expect([record.requestKind, record.launchId]).toEqual(['plan', launchId]);
      const shown = await Promise.all(
        PLAN_RESPONSE_VERSIONS.map(async (version) => (await (await desk.read(launchId, version)).json()) as Shown),
      );
      expect(new Set(shown.map(({ schemaVersion }) => schemaVersion)).size).toBe(3);
      const [first, ...others] = shown.map(({ steps }) => steps.map(({ authorization }) => authorization));
      expect(first).toHaveLength(4);
      for (const authorizations of others) expect(authorizations).toEqual(first);
      const finalized = [planWorkflowId(launchId)];
      for (const filter of [
        `LaunchId = '${launchId}' AND LaunchStage = 'finalized'`,
        `LaunchController = '${stack.controller}' AND LaunchFamily = 'plan.v1' AND LaunchStage = 'finalized'`,
      ])
        expect(await workflowsFoundBy(temporal, filter, finalized)).toEqual(finalized);
    },
    ENDS_WITHIN_MS,
  );
});

describe('an atomic plan through the real parts', () => {
  it(
    'is finalized by one batch of a capable wallet, despite every wrong hint, and is shown only by version 1.2',
    async () => {
      const { planId } = await desk.create('atomic');
      const authorization = await desk.offered(planId, 'atomic-launch');
      expect(authorization.form).toBe('atomic.v1');
      const tooOld = await desk.read(planId, '1.0');
      expect([tooOld.status, await tooOld.text()]).toEqual([
        422,
        expect.stringContaining('"RESPONSE_VERSION_TOO_OLD"'),
      ]);

      const wrong: Hex = `0x${'7'.repeat(64)}`;
      expect((await desk.prove(planId, 'atomic-launch', wrong)).status).toBe(202);
      const judged = await desk.until(planId, (plan) =>
        stepOf(plan, 'atomic-launch').transactions.some(({ status }) => status === 'not_found'),
      );
      expect(stepOf(judged, 'atomic-launch').status).toBe('awaiting_signature');

      const transactionHash = await desk.send(authorization);
      const plan = await desk.until(planId, ({ status }) => status === 'finalized');
      expect(stepOf(plan, 'atomic-launch').transactions).toEqual([
        { transactionHash: wrong, source: 'hint', status: 'not_found' },
        { transactionHash, source: 'observed', status: 'included' },
      ]);
      expect(await publishedRecord(stack.stack, planId)).toMatchObject({
        requestKind: 'plan',
        onchain: { transactionHash },
      });
    },
    ENDS_WITHIN_MS,
  );
});
