import { setTimeout as sleep } from 'node:timers/promises';
import {
  createObserverPair,
  FINALITY_RULES,
  observeOnce,
  parseObserverUrls,
  readPinnedContracts,
  rpcL1Observer,
  rpcL2Observer,
  routerV1Target,
  simulateAllAt,
  simulationPlace,
  type ObserverPair,
} from '@launch/chain';
import { compareExecutions, createSecondExecutor } from '@launch/chain/second-opinion';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { planResourceSchema, type PlanResource } from '@launch/contracts/plans';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { launchCapabilitiesSchema, launchReportPath } from '@launch/contracts/reports';
import { isIncluded } from '@launch/contracts/states';
import type { Hex } from '@launch/evm';
import { sendFromController } from '@launch/start';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { compared, timed, type PairedSamples } from '../measure/sampling.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { packedPlan, PLANS } from '../stack/custom-launch-requests.js';

const PLANS_MEASURED = 4;
const LOOK_MS = 10;
const ETHEREUM_CHAIN_ID = 1;

type Step = PlanResource['steps'][number];
type Authorization = NonNullable<Step['authorization']>;

interface Chains {
  readonly l2: ObserverPair;
  readonly l1: ObserverPair;
  readonly context: CustomLaunchContext;
}

/** Both observers of both chains, by the names that the context commits to. */
async function chainsOf({ running, gateway }: BenchStack): Promise<Chains> {
  const { context } = launchCapabilitiesSchema.parse(await gateway.read(launchReportPath('capabilities')));
  if (context === null) throw new Error('the gateway publishes no custom-launch context');
  const { document } = context;
  const { l2Observers, l1Observers } = document.providerProfile;
  const pair = (chain: '4663' | '1', observers: readonly { readonly id: string }[], id: number): ObserverPair => {
    const urls = running.stack.rpc[chain].map((url, index) => `${observers[index]?.id ?? ''}=${url}`);
    return createObserverPair(parseObserverUrls(`RPC_${chain}_URLS`, urls.join(',')), id);
  };
  return {
    l2: pair('4663', l2Observers, CHAIN_ID),
    l1: pair('1', l1Observers, ETHEREUM_CHAIN_ID),
    context: document,
  };
}

/** Polls an included step and simulates the next, as the workers do, with nothing around. */
async function bareOffer({ l2, l1, context }: Chains, included: Authorization, next: Authorization): Promise<void> {
  const rule = FINALITY_RULES.get(context.providerProfile.finalityPolicyId);
  if (rule === undefined) throw new Error('a rule that is not known');
  const { simulation, ...walletTransaction } = included;
  const target = routerV1Target({ walletTransaction: transactionOf(walletTransaction), simulation }, context);
  const { memory, reason } = await observeOnce(
    {
      l2: [rpcL2Observer(l2[0]), rpcL2Observer(l2[1])],
      l1: [rpcL1Observer(l1[0]), rpcL1Observer(l1[1])],
      target,
      rule,
      now: Date.now,
    },
    null,
    [],
  );
  if (memory.inclusion === null) throw new Error(`the bare loop does not see the step: ${reason ?? memory.stage}`);
  const { from, to, value, data } = next;
  const transaction = { from, to, value: BigInt(value), data };
  const window = { validAfter: BigInt(next.validAfter), deadline: BigInt(next.deadline) };
  const place = await simulationPlace(l2, transaction, window);
  if (place.kind !== 'block') throw new Error(`the bare loop has no place to simulate at: ${place.kind}`);
  const [outcome, executed, against] = await Promise.all([
    simulateAllAt(l2, [transaction], place),
    createSecondExecutor(l2)([transaction], place),
    readPinnedContracts(l2, context),
  ]);
  if (outcome.kind === 'indeterminate' || against.length > 0)
    throw new Error('the bare loop does not simulate the step');
  if (compareExecutions(outcome.executions, executed).kind === 'indeterminate')
    throw new Error('the executors of the bare loop differ');
}

const transactionOf = ({ from, to, chainId, value, data }: Omit<Authorization, 'simulation'>) => ({
  from,
  to,
  chainId,
  value,
  data,
});

/** The plan as soon as it is so. */
async function until(
  { gateway }: BenchStack,
  planId: string,
  isSo: (plan: PlanResource) => boolean,
): Promise<PlanResource> {
  for (;;) {
    const plan = planResourceSchema.parse(await gateway.read(`${PLANS}/${planId}`));
    if (isSo(plan)) return plan;
    if (['action_required', 'failed', 'expired'].includes(plan.status)) throw new Error(`the plan is ${plan.status}`);
    await sleep(LOOK_MS);
  }
}

/** Once both observers' chain has it. */
async function inBlock({ l2 }: Chains, hash: Hex): Promise<void> {
  while ((await l2[0].request('eth_getTransactionReceipt', [hash])) === null) await sleep(LOOK_MS);
}

/**
 * From the inclusion of a step to the offer of the next, over the steps of plans one after the other. The bare loop makes
 * the same look and the same simulation once the offer is there, so that both meet the same machine.
 */
async function measureNextOffer(world: BenchWorld): Promise<readonly Measurement[]> {
  const stack = await world.stack();
  const chains = await chainsOf(stack);
  const samples: PairedSamples = { ours: [], peer: [] };
  world.say(`the steps of ${PLANS_MEASURED} plans, and of one before them`);
  for (let count = 0; count <= PLANS_MEASURED; count += 1) {
    const planId = await stack.gateway.create(await packedPlan(stack), PLANS);
    const { steps } = await until(stack, planId, ({ steps: [first] }) => first?.authorization != null);
    for (const [ordinal, { stepId }] of steps.slice(0, -1).entries()) {
      const at = (plan: PlanResource, place: number): Step => plan.steps[place] as Step;
      const offered = await until(stack, planId, (plan) => at(plan, ordinal).authorization !== null);
      const authorization = at(offered, ordinal).authorization as Authorization;
      const hash = await sendFromController(stack.running.stack, transactionOf(authorization));
      await inBlock(chains, hash);
      const { milliseconds, result } = await timed(() =>
        until(stack, planId, (plan) => at(plan, ordinal + 1).authorization !== null),
      );
      const next = at(result, ordinal + 1).authorization as Authorization;
      if (!isIncluded(at(result, ordinal).status)) throw new Error(`${stepId} is ${at(result, ordinal).status}`);
      const bare = await timed(() => bareOffer(chains, authorization, next));
      if (count === 0) continue;
      samples.ours.push(milliseconds);
      samples.peer.push(bare.milliseconds);
    }
  }
  const about = { unit: 'ms', better: 'lower', summary: 'median' } as const;
  const peerName = 'the same look and simulation in a plain loop';
  return [compared({ ...about, name: 'plans.next-offer', peerName }, samples)];
}

export const planBenches: readonly Bench[] = [{ name: 'plans.next-offer', needsStack: true, run: measureNextOffer }];
