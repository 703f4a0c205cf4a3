import { describe, expect, it } from '@jest/globals';
import { EvmError } from '@launch/evm';
import { ChainError } from '../chain.error.js';
import { ETHEREUM_FINALITY_RULE_V1 } from './finality-rules.js';
import type { LaunchTarget } from './launch-target.js';
import { observeOnce } from './observe-once.js';
import type { L2FinalityObserver, Poll } from './ports.types.js';
import { atomicLaunchTarget, routerV1Target } from './router-v1-target.js';
import {
  deployedBy,
  launchFixture,
  ROUTER_V1_LAUNCHES,
  routerV1LaunchFixture,
  word,
  type RouterV1Launch,
} from './simulation/fixtures/launch.fixture.js';
import { FOREIGN_TRANSACTION, honestL1, honestL2 } from './simulation/fixtures/views.js';
import { World } from './simulation/fixtures/world.js';

const START = 1_700_000_000n;
const WINDOW = { validAfter: START + 5n, deadline: START + 500n };

type Change = (honest: L2FinalityObserver) => Partial<L2FinalityObserver>;
const NOTHING: Change = () => ({});

function poll(world: World, target: LaunchTarget, change: Change): Poll {
  const l2 = (id: string): L2FinalityObserver => {
    const honest = honestL2(id, target, () => world.now);
    return { ...honest, ...change(honest) };
  };
  return {
    l2: [l2('l2-a'), l2('l2-b')],
    l1: [honestL1('l1-a', () => world.now), honestL1('l1-b', () => world.now)],
    target,
    rule: ETHEREUM_FINALITY_RULE_V1,
    now: () => Number(START) * 1_000,
  };
}

/** Observes chains that finalized a transaction, without a hint unless one is given. */
async function seen(
  target: LaunchTarget,
  {
    change = NOTHING,
    status = 'success',
    hint = false,
  }: { change?: Change; status?: 'success' | 'reverted'; hint?: boolean } = {},
) {
  const world = new World(target, START, 2);
  world.mineL2(10n);
  const hash = world.send();
  world.mineL2(10n, status);
  world.mineL2(1_000n);
  world.mineL1(12n, true);
  for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  const hints = hint ? [hash, FOREIGN_TRANSACTION] : [];
  const { memory, status: said, reason } = await observeOnce(poll(world, target, change), null, hints);
  return { hash, stage: memory.stage, said, reason, transactionHash: memory.transactionHash };
}

const code =
  (of: (target: LaunchTarget) => string | undefined, answer: `0x${string}` | null) =>
  (target: LaunchTarget): Change =>
  (honest) => ({
    codeHash: async (account, hash) => (account === of(target) ? answer : honest.codeHash(account, hash)),
  });
const router = (target: LaunchTarget): string => target.router;
const account = (target: LaunchTarget): string | undefined => deployedBy(target)[0]?.account;
const getters = (change: object) => (): Change => (honest) => ({
  gettersV1: async (...args) => ({ ...(await honest.gettersV1(...args)), ...change }),
});
const logs =
  (change: (logs: readonly { readonly topics: readonly `0x${string}`[] }[]) => unknown) => (): Change => (honest) => ({
    receipt: async (hash) => {
      const answer = await honest.receipt(hash);
      return answer && ({ ...answer, logs: change(answer.logs) } as never);
    },
  });
const STAMPED: readonly RouterV1Launch[] = ['custom launch', 'registration', 'atomic plan'];

describe.each(ROUTER_V1_LAUNCHES)('through router V1: %s', (kind) => {
  const target = routerV1LaunchFixture(kind, WINDOW);

  it('is found by its router’s logs without a hint, and is finalized', async () => {
    const { hash, ...found } = await seen(target);
    expect(found).toEqual({ stage: 'finalized', said: 'agreed', reason: null, transactionHash: hash });
  });

  it('is finalized even if its receipt is too long to be read whole', async () => {
    const tooLong: Change = () => ({
      receipt: async () => {
        throw new ChainError('RPC_ANSWER_TOO_LARGE', { observer: 'x', method: 'eth_getTransactionReceipt', limit: 1 });
      },
    });
    const { hash, ...found } = await seen(target, { change: tooLong });
    expect(found).toEqual({ stage: 'finalized', said: 'agreed', reason: null, transactionHash: hash });
  });

  it.each<[string, (target: LaunchTarget) => Change, RegExp]>([
    ['another program at the router', code(router, word('other')), /runtimes/],
    ['other code at its account', code(account, word('other')), /runtimes/],
    ['no code at its account', code(account, null), /runtimes/],
  ])('is not finalized with %s', async (_what, change, reason) => {
    const found = await seen(target, { change: change(target), hint: true });
    expect(found.stage).not.toBe('finalized');
    expect(found).toMatchObject({ said: 'indeterminate', reason: expect.stringMatching(reason) });
  });

  it('ignores a hint that names a foreign transaction', async () => {
    const world = new World(target, START, 2);
    world.mineL2(10n);
    const { memory } = await observeOnce(poll(world, target, NOTHING), null, [FOREIGN_TRANSACTION]);
    expect(memory).toMatchObject({ stage: 'pending', transactionHash: null });
  });
});

describe.each(STAMPED)('by the stamp of router V1: %s', (kind) => {
  const target = routerV1LaunchFixture(kind, WINDOW);
  it.each<[string, () => Change, RegExp]>([
    ['an unspent permit', getters({ permitUsed: false }), /getters: permitUsed/],
    ['another stamp', getters({ stampProof: word('other') }), /getters: stampProof/],
    ['another code of a component', getters({ components: [] }), /getters: components/],
    ['a log less of its stamp', logs((all) => all.slice(0, -1)), /stamp: STAMP_EVENT_MISSING/],
  ])('is not finalized with %s', async (_what, change, reason) => {
    const found = await seen(target, { change: change(), hint: true });
    expect(found.stage).not.toBe('finalized');
    expect(found).toMatchObject({ said: 'indeterminate', reason: expect.stringMatching(reason) });
  });
});

describe('an atomic plan', () => {
  const target = routerV1LaunchFixture('atomic plan', WINDOW);

  it('is found in a wallet’s own transaction, with any sender and any other calls', async () => {
    const others: Change = logs((all) => [{ ...all[0], topics: [word('event'), word('other launch')] }, ...all])();
    expect(target.transaction).toBeNull();
    expect(await seen(target, { hint: true })).toMatchObject({ stage: 'finalized' });
    expect(await seen(target, { change: others, hint: true })).toMatchObject({ stage: 'finalized' });
  });

  it.each<[string, 'success' | 'reverted', Change]>([
    ['succeeds without its stamp', 'success', logs(() => [])()],
    ['reverts and leaves no stamp', 'reverted', NOTHING],
  ])('is not found in a transaction that %s, and expires with its window', async (_what, status, change) => {
    const unspent: Change = (honest) => ({ ...change(honest), nonceUsed: async () => false });
    expect(await seen(target, { change: unspent, status, hint: true })).toMatchObject({
      stage: 'expired',
      transactionHash: null,
    });
  });

  it('requires a registration as its last call', () => {
    const { data } = launchFixture(WINDOW).transaction;
    const batch = { chainId: '4663', simulation: { blockNumber: '0' } };
    for (const calls of [[], [{ to: target.router, data }]])
      expect(() => atomicLaunchTarget({ ...batch, calls }, {} as never)).toThrow(EvmError);
  });
});

describe('a deploy step', () => {
  const target = routerV1LaunchFixture('deploy step', WINDOW);

  it('requires its exact transaction: one with another value does not count, even if the component exists', async () => {
    const change: Change = (honest) => ({
      transaction: async (hash) => {
        const answer = await honest.transaction(hash);
        return answer && { ...answer, value: 1n };
      },
    });
    expect(await seen(target, { change, hint: true })).toMatchObject({
      stage: 'pending',
      said: 'indeterminate',
      reason: 'component: deployed, but no transaction of its step is known',
    });
  });

  it('fails after a revert once its window is over, since its component was never deployed', async () => {
    expect(await seen(target, { status: 'reverted', hint: true })).toMatchObject({ stage: 'reverted_finalized' });
    expect(await seen(target, { status: 'reverted' })).toMatchObject({ stage: 'expired' });
  });

  it('refuses a call of another router', () => {
    const { from, to, data } = launchFixture(WINDOW).transaction;
    const walletTransaction = { from, to, data, chainId: '4663', value: '0' } as const;
    expect(() => routerV1Target({ walletTransaction, simulation: { blockNumber: '0' } }, {} as never)).toThrow(
      EvmError,
    );
  });
});
