/** A launch and a plan through router V1 as a request describes them: rehearsed by both executors, then sent. */
import {
  CHAIN_ETHEREUM_FINALIZED_RULE_V1,
  ChainError,
  observeOnce,
  rehearseTransactions,
  rpcL2Observer,
  routerV1Target,
  simulateAllAt,
  simulatedBlock,
  type LaunchTarget,
  type ObserverPair,
  type RpcObserver,
  type SimulatedBlock,
} from '@launch/chain';
import { compareExecutions, createSecondExecutor } from '@launch/chain/second-opinion';
import {
  LAUNCH_MODES,
  atomicDigest,
  compareGettersV1,
  explainRevert,
  fundingTotals,
  launchV1Commitments,
  launchV1RehearsalOf,
  permitV1FromWire,
  permitV1ToWire,
  planStepsOf,
  routerStorage,
  signedPlanSteps,
  stampProofSlotV1,
} from '@launch/evm';
import type { LaunchPartsV1, PlanMode } from '@launch/evm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256 } from 'viem';
import { contextV1, graphV1, hashesV1, requestV1, signV1, startWorldV1 } from './support/router-v1.js';
import type { Graph, WorldV1 } from './support/router-v1.js';
import { inSnapshot, startTimeout } from './support/world.js';

let world: WorldV1;
let graph: Graph;
let l2: ObserverPair;
beforeAll(async () => {
  world = await startWorldV1();
  graph = await graphV1(world);
  l2 = [observer('a'), observer('b')];
}, startTimeout);
afterAll(() => world?.chain.close());

const observer = (id: string, answer?: (method: string, truth: unknown) => unknown): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: `0x${'0'.repeat(64)}`,
  request: async (method, params) => {
    const truth = await world.chain.rpc<unknown>(method, ...params);
    return answer === undefined ? truth : answer(method, truth);
  },
});

const request = (mode?: PlanMode, changed: Partial<Graph['call']> = {}): LaunchPartsV1 =>
  requestV1(graph, { ...graph.call, ...changed }, mode);

async function place(): Promise<SimulatedBlock> {
  const at = await simulatedBlock(l2, { validAfter: graph.now, deadline: graph.now + 3_000n });
  if (at.kind !== 'block') throw new Error(at.kind);
  return at;
}

async function rehearse(parts: LaunchPartsV1, pair: ObserverPair = l2) {
  const storage = routerStorage(await world.chain.code(world.routerV1))!;
  const { transactions, overrides } = launchV1RehearsalOf(parts, contextV1(world), hashesV1, storage);
  const at = await place();
  const outcome = await rehearseTransactions(pair, transactions, at, overrides);
  const executed = await createSecondExecutor(pair)(transactions, at, overrides);
  return { outcome, executed, transactions };
}

describe.each<[string, PlanMode | undefined, number]>([
  ['a custom launch', undefined, 1],
  ['a sequential plan', 'sequential', 4],
  ['an atomic plan', 'atomic', 4],
])('the rehearsal of %s', (_what, mode, calls) => {
  it('passes in both executors before any signature, each call with its own effects', async () => {
    const { outcome, executed } = await rehearse(request(mode));
    if (outcome.kind !== 'executed') throw new Error(outcome.reason);
    expect(outcome.executions.map(({ kind }) => kind)).toEqual(Array(calls).fill('ok'));
    expect(compareExecutions(outcome.executions, executed)).toEqual({ kind: 'agrees' });
    const deltas = outcome.executions.map((one) =>
      one.kind === 'ok' ? one.effects.nativeDeltas!.get(graph.controller) : null,
    );
    expect(deltas).toEqual([...Array<undefined>(calls - 1).fill(undefined), -graph.call.initialBuyWei]);
  });

  it('ends with the first call that reverts, and both executors report the reason', async () => {
    const { outcome, executed } = await rehearse(request(mode, { minimumTokensOut: 10n ** 30n }));
    if (outcome.kind !== 'executed') throw new Error(outcome.reason);
    expect(outcome.executions).toHaveLength(calls);
    const last = outcome.executions.at(-1)!;
    if (last.kind !== 'reverted') throw new Error('the launch does not revert');
    expect(explainRevert(last.data, 'funding')).toMatchObject({
      path: '/funding/minimumTokensOut',
      actual: expect.stringContaining('TooFewTokens'),
    });
    expect(compareExecutions(outcome.executions, executed)).toEqual({ kind: 'agrees' });
  });
});

describe('The calls of one block', () => {
  it('end at a reverting call in the middle, without a report about later calls', async () => {
    const wrong = request('sequential');
    const [initializer, ...others] = graph.call.components;
    const components = [initializer!, { ...others[0]!, runtimeCodeHash: `0x${'ee'.repeat(32)}` as const }, others[1]!];
    const { outcome, executed } = await rehearse({
      ...wrong,
      ...requestV1(graph, { ...graph.call, components }, 'sequential'),
    });
    expect(outcome).toMatchObject({ kind: 'executed', executions: [{ kind: 'ok' }, { kind: 'reverted' }] });
    if (outcome.kind === 'executed')
      expect(compareExecutions(outcome.executions, executed)).toEqual({ kind: 'agrees' });
  });

  it('support no statement when an observer lacks eth_simulateV1, or when the executors differ on one call', async () => {
    const missing = observer('b', (method, truth) => {
      if (method === 'eth_simulateV1') throw new ChainError('RPC_METHOD_MISSING', { observer: 'b', method });
      return truth;
    });
    expect((await rehearse(request('sequential'), [l2[0], missing])).outcome).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('consecutive transactions need eth_simulateV1'),
    });
    const cut = observer('b', (method, truth) =>
      method === 'eth_simulateV1'
        ? (truth as { calls: unknown[] }[]).map((block) => ({ ...block, calls: block.calls.slice(1) }))
        : truth,
    );
    expect((await rehearse(request('sequential'), [l2[0], cut])).outcome).toMatchObject({
      kind: 'indeterminate',
      reason: expect.stringContaining('RPC_ANSWER_INVALID'),
    });
    const { outcome, executed } = await rehearse(request('sequential'));
    if (outcome.kind !== 'executed') throw new Error(outcome.reason);
    const forged = outcome.executions.map((one, index) =>
      index === 1 && one.kind === 'ok' ? { ...one, effects: { ...one.effects, logs: [] } } : one,
    );
    expect(compareExecutions(forged, executed)).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('logs of transaction 2 of 4 differ'),
    });
    expect(compareExecutions(outcome.executions.slice(0, 3), executed)).toMatchObject({ kind: 'indeterminate' });
  });
});

describe('A launch as its request describes it', () => {
  it('is executed by the steps of a plan in their order, each with its exact call', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, { mode: LAUNCH_MODES.sequential });
      const plan = { ...request('sequential'), mode: 'sequential' as const };
      const steps = signedPlanSteps(plan, contextV1(world), signed);
      expect(steps.map(({ stepId, ordinal, kind, dependsOn }) => [stepId, ordinal, kind, dependsOn])).toEqual([
        ['deploy-initializer', 0, 'deploy_component', []],
        ['deploy-token', 1, 'deploy_component', ['deploy-initializer']],
        ['deploy-hook', 2, 'deploy_component', ['deploy-token']],
        ['register', 3, 'register', ['deploy-hook']],
      ]);
      expect(planStepsOf(plan)).toEqual(steps.map(({ stepId, ordinal, kind }) => ({ stepId, ordinal, kind })));
      const calls = steps.map((step) => ('call' in step ? step.call : null)!);
      const simulated = await simulateAllAt(
        l2,
        calls.map((call) => ({ from: graph.controller, ...call })),
        await place(),
      );
      expect(simulated).toMatchObject({ kind: 'executed', executions: Array(4).fill({ kind: 'ok' }) });
      for (const call of calls) await world.chain.send({ from: graph.controller, ...call });
      const { onchainLaunchId } = launchV1Commitments(plan, contextV1(world));
      const answer = await world.chain.read(world.routerV1, 'ServiceLaunchStampRouterV1', 'stampProof', [
        onchainLaunchId,
      ]);
      expect(answer).toBe(signed.expected.stampHash);
      const slot = stampProofSlotV1(onchainLaunchId);
      expect(await world.chain.rpc('eth_getStorageAt', world.routerV1, slot, 'latest')).toBe(answer);
    }));

  it('is found by the rule of finality from the stored calls alone, each step by its own proof', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, { mode: LAUNCH_MODES.sequential });
      const { block } = await place();
      const simulation = { blockNumber: block.number.toString() };
      const context = {
        chainDeployment: {
          router: { address: world.routerV1, runtimeCodeHash: keccak256(await world.chain.code(world.routerV1)) },
          poolManager: { address: world.poolManager },
        },
      } as unknown as Parameters<typeof routerV1Target>[1];
      Object.assign(context.chainDeployment, { genesisBlock: '0', nodeInterface: world.stranger });
      const stageOf = async (target: LaunchTarget): Promise<string> => {
        const eyes = [rpcL2Observer(l2[0]), rpcL2Observer(l2[1])] as const;
        // Nothing is posted here, so that Ethereum is never asked.
        const look = { l2: eyes, l1: [] as never, target, rule: CHAIN_ETHEREUM_FINALIZED_RULE_V1, now: Date.now };
        const { memory, reason } = await observeOnce(look, null, []);
        return memory.stage === 'included' ? 'included' : `${memory.stage}: ${String(reason)}`;
      };
      const provenBy: string[] = [];
      for (const tx of [...signed.deploys, signed.register]) {
        const walletTransaction = {
          ...tx,
          to: tx.to!,
          data: tx.data!,
          chainId: '4663',
          value: String(tx.value),
        } as const;
        const target = routerV1Target({ walletTransaction, simulation }, context);
        expect(await stageOf(target)).toMatch(/^pending/);
        await world.chain.send(tx);
        expect(await stageOf(target)).toBe('included');
        provenBy.push(target.provenBy);
        if (target.provenBy === 'code') continue;
        const getters = await rpcL2Observer(l2[0]).gettersV1(target, (await place()).block.hash);
        expect(compareGettersV1(getters, target.stamp)).toEqual([]);
      }
      expect(provenBy).toEqual(['code', 'code', 'code', 'stamp-v1']);
    }));

  it('becomes one batch of an atomic plan, under the digest of its permit and calls', async () => {
    const signed = await signV1(world, graph, { mode: LAUNCH_MODES.atomic });
    const plan = { ...request('atomic'), mode: 'atomic' as const };
    const calls = [...signed.deploys, signed.register].map(({ to, data, value }) => ({
      to: to!,
      data: data!,
      value: value!,
    }));
    expect(signedPlanSteps(plan, contextV1(world), signed)).toEqual([
      {
        stepId: 'atomic-launch',
        ordinal: 0,
        kind: 'atomic_launch',
        dependsOn: [],
        calls,
        digest: atomicDigest(signed.expected.permitDigest, calls),
      },
    ]);
    expect(planStepsOf(plan)).toEqual([{ stepId: 'atomic-launch', ordinal: 0, kind: 'atomic_launch' }]);
  });

  it('has one permit, which survives the wire unchanged', async () => {
    const { permit } = await signV1(world, graph, { mode: LAUNCH_MODES.sequential });
    expect(permitV1FromWire(JSON.parse(JSON.stringify(permitV1ToWire(permit))) as never)).toEqual(permit);
  });

  it.each([
    [500n, 0n, 1n, 500n],
    [499n, 0n, 0n, 499n],
    [10n ** 18n, 7n, 2n * 10n ** 15n, 10n ** 18n + 7n],
  ])(
    'spends, for a buy of %s wei and %s wei of liquidity, a fee of %s within %s',
    (initialBuyWei, native, fee, total) => {
      expect(fundingTotals({ initialBuyWei, liquidityNativeWei: native })).toEqual({
        platformFeeWei: fee,
        totalValueWei: total,
      });
    },
  );
});
