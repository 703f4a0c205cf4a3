import { describe, expect, it } from '@jest/globals';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { ChainError } from '../chain.error.js';
import { ETHEREUM_FINALITY_RULE_V1 } from './finality-rules.js';
import { observeOnce, REVERTED_PERMIT_LIVE, REVERTED_UNFINALIZED } from './observe-once.js';
import type { L1FinalityObserver, L2FinalityObserver, Look } from './ports.types.js';
import { launchFixture, word } from './simulation/fixtures/launch.fixture.js';
import { FOREIGN_TRANSACTION, honestL1, honestL2 } from './simulation/fixtures/views.js';
import { World } from './simulation/fixtures/world.js';

const START = 1_700_000_000n;
const WINDOW = { validAfter: START + 5n, deadline: START + 500n };
const target = launchFixture(WINDOW);
const STEP = 10n;

interface Chains {
  readonly world: World;
  readonly hash: `0x${string}`;
}

/** Chains on which the launch has come as far as asked. */
function chains(
  reach: 'sent' | 'included' | 'posted' | 'finalized',
  status: 'success' | 'reverted' = 'success',
): Chains {
  const world = new World(target, START, 2);
  world.mineL2(STEP);
  const hash = world.send();
  if (reach === 'sent') return { world, hash };
  world.mineL2(STEP, status);
  world.mineL2(STEP);
  if (reach === 'included') return { world, hash };
  world.mineL1(12n, true);
  if (reach === 'posted') return { world, hash };
  for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  return { world, hash };
}

type Change<O> = (honest: O) => Partial<O>;

interface Bent {
  /** Applied to both observers of the chain, or to the second alone. */
  readonly l2?: Change<L2FinalityObserver>;
  readonly l1?: Change<L1FinalityObserver>;
  readonly onlySecond?: boolean;
}

function look(world: World, bent: Bent = {}): Look {
  const bend = <O extends object>(honest: O, change: Change<O> | undefined, first: boolean): O =>
    change === undefined || (first && bent.onlySecond === true) ? honest : { ...honest, ...change(honest) };
  const l2 = (id: string, first: boolean) =>
    bend(
      honestL2(id, target, () => world.now),
      bent.l2,
      first,
    );
  const l1 = (id: string, first: boolean) =>
    bend(
      honestL1(id, () => world.now),
      bent.l1,
      first,
    );
  return {
    l2: [l2('l2-a', true), l2('l2-b', false)],
    l1: [l1('l1-a', true), l1('l1-b', false)],
    target,
    rule: ETHEREUM_FINALITY_RULE_V1,
    now: () => Number(START) * 1_000,
  };
}

const silent = async (): Promise<never> => {
  throw new ChainError('RPC_TIMEOUT', { observer: 'x', method: 'y' });
};

describe('how far a launch is', () => {
  it.each([
    ['sent, hinted', chains('sent'), 'submitted'],
    ['included', chains('included'), 'included'],
    ['posted', chains('posted'), 'posted'],
    ['finalized', chains('finalized'), 'finalized'],
  ] as const)('%s', async (_what, { world, hash }, stage) => {
    const seen = await observeOnce(look(world), null, stage === 'submitted' ? [hash] : []);
    expect(seen).toMatchObject({ status: 'agreed', reason: null, memory: { stage, transactionHash: hash, polls: 1 } });
    expect(
      [seen.memory.inclusion, seen.memory.posting, seen.memory.checkpoint].filter((evidence) => evidence !== null),
    ).toHaveLength({ submitted: 0, included: 1, posted: 2, finalized: 3 }[stage]);
  });

  it('finds a stamped launch without a hint, and nothing by false hints', async () => {
    const hints = [FOREIGN_TRANSACTION, word('no transaction')];
    expect((await observeOnce(look(chains('included').world), null, hints)).memory.stage).toBe('included');
    expect(await observeOnce(look(chains('sent').world), null, hints)).toMatchObject({
      status: 'agreed',
      memory: { stage: 'pending', transactionHash: null },
    });
  });

  it('believes one observer that shows the exact transaction only when its signature proves it', async () => {
    const { world, hash } = chains('sent');
    const shown: Bent = { onlySecond: true, l2: () => ({ transaction: async () => null }) };
    expect((await observeOnce(look(world, shown), null, [hash])).memory.stage).toBe('submitted');
    const unproven: Bent = {
      l2: (honest) => ({
        transaction: async (asked) => {
          const seen = await honest.transaction(asked);
          return seen && { ...seen, authentic: null };
        },
      }),
    };
    expect((await observeOnce(look(world, unproven), null, [hash])).memory.stage).toBe('pending');
  });
});

type Receipt = NonNullable<Awaited<ReturnType<L2FinalityObserver['receipt']>>>;
type Transaction = NonNullable<Awaited<ReturnType<L2FinalityObserver['transaction']>>>;
type Header = NonNullable<Awaited<ReturnType<L2FinalityObserver['header']>>>;

const transaction =
  (change: Partial<Transaction>): Change<L2FinalityObserver> =>
  (honest) => ({
    transaction: async (hash) => {
      const answer = await honest.transaction(hash);
      return answer && { ...answer, ...change };
    },
  });
const receipt =
  (change: (receipt: Receipt) => Partial<Receipt>): Change<L2FinalityObserver> =>
  (honest) => ({
    receipt: async (hash) => {
      const answer = await honest.receipt(hash);
      return answer && { ...answer, ...change(answer) };
    },
  });
const header =
  <O extends { header: L2FinalityObserver['header'] }>(when: (at: unknown) => boolean, change: Partial<Header>) =>
  (honest: O): Partial<O> =>
    ({
      header: async (at: Parameters<O['header']>[0]) => {
        const answer = await honest.header(at);
        return answer && when(at) ? { ...answer, ...change } : answer;
      },
    }) as Partial<O>;
const byNumber = (at: unknown): boolean => typeof at === 'bigint';
const finalizedTag = (at: unknown): boolean => at === 'finalized';
const noDelivery: Change<L1FinalityObserver> = () => ({ batchDeliveries: async () => [] });
const bounds =
  (change: object): Change<L1FinalityObserver> =>
  (honest) => ({
    batchBounds: async (of, hash) => {
      const answer = await honest.batchBounds(of, hash);
      return answer && { ...answer, ...change };
    },
  });
const other = word('another');

/** Each rule broken by itself on chains that are finalized otherwise; both observers of the chain say so. */
const BROKEN: readonly [
  rule: string,
  bent: Bent,
  stage: ObservationMemory['stage'],
  status: 'agreed' | 'indeterminate',
  reason: RegExp | null,
][] = [
  ['from', { l2: transaction({ from: target.router }) }, 'pending', 'agreed', null],
  ['to', { l2: transaction({ to: target.controller }) }, 'pending', 'agreed', null],
  ['to, creating', { l2: transaction({ to: null }) }, 'pending', 'agreed', null],
  ['value', { l2: transaction({ value: 1n }) }, 'pending', 'agreed', null],
  ['input', { l2: transaction({ input: `${target.transaction.data}00` }) }, 'pending', 'agreed', null],
  ['chain', { l2: transaction({ chainId: 1n }) }, 'pending', 'agreed', null],
  ['no chain', { l2: transaction({ chainId: null }) }, 'pending', 'agreed', null],
  ['signature', { l2: transaction({ authentic: false }) }, 'pending', 'agreed', null],
  ['receipt absent', { l2: () => ({ receipt: async () => null }) }, 'submitted', 'agreed', null],
  [
    'receipt of another block',
    { l2: receipt(() => ({ blockHash: other })) },
    'submitted',
    'indeterminate',
    /not the canonical one/,
  ],
  [
    'receipt from another sender',
    { l2: receipt(() => ({ from: target.router })) },
    'submitted',
    'indeterminate',
    /another transaction/,
  ],
  [
    'header absent',
    { l2: (honest) => ({ header: async (at) => (byNumber(at) ? null : honest.header(at)) }) },
    'submitted',
    'indeterminate',
    /absent/,
  ],
  [
    'too early',
    { l2: header(byNumber, { timestamp: WINDOW.validAfter - 1n }) },
    'submitted',
    'indeterminate',
    /outside the permit window/,
  ],
  [
    'too late',
    { l2: header(byNumber, { timestamp: WINDOW.deadline + 1n }) },
    'submitted',
    'indeterminate',
    /outside the permit window/,
  ],
  [
    'stamp event missing',
    { l2: receipt(({ logs }) => ({ logs: logs.slice(1) })) },
    'submitted',
    'indeterminate',
    /stamp:/,
  ],
  [
    'stamp events out of order',
    { l2: receipt(({ logs }) => ({ logs: [...logs].reverse() })) },
    'submitted',
    'indeterminate',
    /stamp:/,
  ],
  [
    'stamp event twice',
    { l2: receipt(({ logs }) => ({ logs: [...logs, ...logs.slice(-1)] })) },
    'submitted',
    'indeterminate',
    /stamp:/,
  ],
  ['no batch yet', { l2: () => ({ batchContaining: async () => null }) }, 'included', 'agreed', null],
  ['no delivery', { l1: noDelivery }, 'included', 'agreed', null],
  [
    'two deliveries',
    {
      l1: (honest) => ({
        batchDeliveries: async (...asked) => (await honest.batchDeliveries(...asked)).flatMap((one) => [one, one]),
      }),
    },
    'included',
    'indeterminate',
    /delivered 2 times/,
  ],
  [
    'no batch call',
    { l1: () => ({ batchBounds: async () => null }) },
    'included',
    'indeterminate',
    /not one that posts/,
  ],
  [
    'batch call names another batch',
    { l1: bounds({ sequenceNumber: 9n }) },
    'included',
    'indeterminate',
    /names another batch/,
  ],
  [
    'batch ends before the block',
    { l1: bounds({ newMessageCount: 2n }) },
    'included',
    'indeterminate',
    /does not cover/,
  ],
  [
    'batch begins after the block',
    { l1: bounds({ prevMessageCount: 3n }) },
    'included',
    'indeterminate',
    /does not cover/,
  ],
  ['posting not finalized', { l1: header(finalizedTag, { number: 0n }) }, 'posted', 'agreed', null],
  ['L2 not finalized', { l2: header(finalizedTag, { number: 1n }) }, 'posted', 'agreed', null],
  [
    'no finalized block',
    { l1: (honest) => ({ header: async (at) => (finalizedTag(at) ? null : honest.header(at)) }) },
    'posted',
    'indeterminate',
    /has none/,
  ],
  [
    'posting block replaced',
    { l1: header((at) => at === 1n, { hash: other }) },
    'posted',
    'indeterminate',
    /posting: its block/,
  ],
  ['accumulator absent', { l1: () => ({ accumulator: async () => null }) }, 'posted', 'indeterminate', /accumulator/],
  ['accumulator differs', { l1: () => ({ accumulator: async () => other }) }, 'posted', 'indeterminate', /accumulator/],
  ['stamp logs absent', { l2: () => ({ stampLogs: async () => [] }) }, 'posted', 'indeterminate', /stamp logs/],
  [
    'getter differs',
    { l2: (honest) => ({ getters: async (...asked) => ({ ...(await honest.getters(...asked)), stampProof: other }) }) },
    'posted',
    'indeterminate',
    /getters: stampProof/,
  ],
  [
    'component proof differs',
    {
      l2: (honest) => ({
        getters: async (...asked) => {
          const all = await honest.getters(...asked);
          return { ...all, accounts: all.accounts.map((one) => ({ ...one, componentProof: other })) };
        },
      }),
    },
    'posted',
    'indeterminate',
    /getters: componentProof/,
  ],
  ['runtime differs', { l2: () => ({ codeHash: async () => other }) }, 'posted', 'indeterminate', /runtimes:/],
  [
    'router runtime differs',
    {
      l2: (honest) => ({
        codeHash: async (account, at) => (account === target.router ? other : honest.codeHash(account, at)),
      }),
    },
    'posted',
    'indeterminate',
    /runtimes:/,
  ],
  [
    'child runtime absent',
    {
      l2: (honest) => ({
        codeHash: async (account, at) =>
          account === target.stamp.accounts[1]?.account ? null : honest.codeHash(account, at),
      }),
    },
    'posted',
    'indeterminate',
    /runtimes:/,
  ],
];

describe('a rule that is broken by itself', () => {
  it.each(BROKEN)('%s', async (_rule, bent, stage, status, reason) => {
    const { world, hash } = chains('finalized');
    const seen = await observeOnce(look(world, bent), null, [hash]);
    expect({ stage: seen.memory.stage, status: seen.status }).toEqual({ stage, status });
    if (reason === null) expect(seen.reason).toBeNull();
    else expect(seen.reason).toMatch(reason);
  });

  it.each(BROKEN)('%s, said by one observer alone: nothing rises on it and nothing falls', async (_rule, bent) => {
    const { world, hash } = chains('finalized');
    const alone = { ...bent, onlySecond: true };
    expect((await observeOnce(look(world, alone), null, [hash])).memory.stage).not.toBe('finalized');
    const held = await observeOnce(look(chains('posted').world), null, []);
    const after = await observeOnce(look(world, alone), held.memory, [hash]);
    expect(after.memory.stage).toBe('posted');
    expect(after.memory.inclusion).toEqual(held.memory.inclusion);
  });

  it.each(['transaction', 'receipt', 'header', 'batchContaining', 'stampLogs', 'getters', 'codeHash'] as const)(
    'no answer to %s from one L2 observer',
    async (method) => {
      const { world, hash } = chains('finalized');
      const seen = await observeOnce(look(world, { onlySecond: true, l2: () => ({ [method]: silent }) }), null, [hash]);
      expect(seen).toMatchObject({ status: 'indeterminate' });
      expect(seen.memory.stage).not.toBe('finalized');
    },
  );

  it.each(['header', 'batchDeliveries', 'batchBounds', 'accumulator'] as const)(
    'no answer to %s from one L1 observer',
    async (method) => {
      const { world, hash } = chains('finalized');
      const seen = await observeOnce(look(world, { onlySecond: true, l1: () => ({ [method]: silent }) }), null, [hash]);
      expect(seen).toMatchObject({ status: 'indeterminate' });
      expect(seen.memory.stage).not.toBe('finalized');
    },
  );
});

describe('the permit window', () => {
  it.each([
    ['its first second', WINDOW.validAfter],
    ['its last second', WINDOW.deadline],
  ])('holds %s', async (_what, timestamp) => {
    const { world, hash } = chains('included');
    expect((await observeOnce(look(world, { l2: header(byNumber, { timestamp }) }), null, [hash])).memory.stage).toBe(
      'included',
    );
  });
});

describe('stages that go back down', () => {
  it('by an L1 reorg that drops the batch, by an L2 reorg that drops the launch', async () => {
    const { world, hash } = chains('posted');
    let seen = await observeOnce(look(world), null, []);
    expect(seen.memory.stage).toBe('posted');
    world.reorgL1(1, 'drop');
    seen = await observeOnce(look(world), seen.memory, []);
    expect(seen.memory).toMatchObject({ stage: 'included', posting: null });
    world.reorgL2(3, 'drop');
    seen = await observeOnce(look(world), seen.memory, []);
    expect(seen).toMatchObject({
      status: 'agreed',
      memory: { stage: 'submitted', transactionHash: hash, inclusion: null },
    });
  });

  it('takes the posting away with the inclusion it was for', async () => {
    const { world } = chains('posted');
    const before = await observeOnce(look(world), null, []);
    world.reorgL1(1, 'drop');
    world.reorgL2(3, 'keep');
    const after = await observeOnce(
      look(world, { l1: () => ({ batchDeliveries: silent }), l2: () => ({ batchContaining: async () => 1n }) }),
      before.memory,
      [],
    );
    expect(after).toMatchObject({ status: 'indeterminate', memory: { stage: 'included', posting: null } });
    expect(after.memory.inclusion?.blockHash).not.toBe(before.memory.inclusion?.blockHash);
  });
});

describe('launches that come to nothing', () => {
  const late = (world: World): void => {
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
  };

  it('expires only by finalized time, and only while the nonce is unspent', async () => {
    const { world } = chains('sent');
    world.mineL2(WINDOW.deadline - START + 1n);
    world.mineL1(12n, true);
    expect((await observeOnce(look(world), null, [])).memory.stage).toBe('pending');
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect((await observeOnce(look(world), null, [])).memory.stage).toBe('expired');
    expect(await observeOnce(look(world, { l2: () => ({ nonceUsed: async () => true }) }), null, [])).toMatchObject({
      status: 'indeterminate',
      memory: { stage: 'pending' },
    });
    expect(
      (await observeOnce(look(world, { onlySecond: true, l2: () => ({ nonceUsed: async () => true }) }), null, []))
        .memory.stage,
    ).toBe('pending');
    expect(
      (
        await observeOnce(
          look(world, { onlySecond: true, l2: header(finalizedTag, { timestamp: WINDOW.deadline }) }),
          null,
          [],
        )
      ).memory.stage,
    ).toBe('pending');
  });

  it('calls a revert final only once its permit can no longer be used', async () => {
    const { world, hash } = chains('posted', 'reverted');
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_UNFINALIZED,
      memory: { stage: 'submitted', inclusion: { receiptStatus: 'reverted' } },
    });
    for (let block = 0; block < 3; block++) world.mineL1(12n, false);
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: REVERTED_PERMIT_LIVE,
      memory: { stage: 'submitted' },
    });
    late(world);
    expect(await observeOnce(look(world), null, [hash])).toMatchObject({
      status: 'agreed',
      reason: null,
      memory: { stage: 'reverted_finalized', transactionHash: hash },
    });
  });

  it('prefers the sending that succeeded to the one that reverted', async () => {
    const { world, hash } = chains('posted', 'reverted');
    const second = world.send();
    world.mineL2(STEP, 'success');
    expect((await observeOnce(look(world), null, [hash])).memory).toMatchObject({
      stage: 'included',
      transactionHash: second,
    });
  });

  it.each(['transaction', 'receipt'] as const)(
    'takes no revert for the launch while an observer gives no %s of the sending that succeeded',
    async (method) => {
      const { world, hash } = chains('posted', 'reverted');
      const second = world.send();
      world.mineL2(STEP, 'success');
      world.mineL1(12n, true);
      const { memory } = await observeOnce(look(world), null, [hash]);
      expect(memory).toMatchObject({ stage: 'posted', transactionHash: second });
      const unsaid: Bent = {
        onlySecond: true,
        l2: (honest) => ({ [method]: async (asked: string) => (asked === second ? silent() : honest[method](asked)) }),
      };
      const after = await observeOnce(look(world, unsaid), memory, [hash]);
      expect(after).toMatchObject({
        status: 'indeterminate',
        memory: { stage: 'posted', transactionHash: second, inclusion: memory.inclusion, posting: memory.posting },
      });
    },
  );

  it('never looks again once a stage is final', async () => {
    const { memory } = await observeOnce(look(chains('finalized').world), null, []);
    const deaf = look(new World(target, START, 2), {
      l2: () => ({ receipt: silent, transaction: silent, header: silent }),
    });
    expect(await observeOnce(deaf, memory, [])).toEqual({ memory, status: 'agreed', reason: null });
  });
});
