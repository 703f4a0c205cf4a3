import { describe, expect, it } from '@jest/globals';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { observeOnce } from './observe-once.js';
import {
  chains,
  poll,
  silent,
  target,
  WINDOW,
  type Bent,
  transaction,
  receipt,
  header,
  byNumber,
  finalizedTag,
  noDelivery,
  bounds,
} from './simulation/fixtures/bent-chains.js';
import { word } from './simulation/fixtures/launch.fixture.js';
import { FOREIGN_TRANSACTION } from './simulation/fixtures/views.js';

describe('the stage of a launch', () => {
  it.each([
    ['sent, hinted', chains('sent'), 'submitted'],
    ['included', chains('included'), 'included'],
    ['posted', chains('posted'), 'posted'],
    ['finalized', chains('finalized'), 'finalized'],
  ] as const)('is judged when it is %s', async (_what, { world, hash }, stage) => {
    const seen = await observeOnce(poll(world), null, stage === 'submitted' ? [hash] : []);
    expect(seen).toMatchObject({ status: 'agreed', reason: null, memory: { stage, transactionHash: hash, polls: 1 } });
    expect(
      [seen.memory.inclusion, seen.memory.posting, seen.memory.checkpoint].filter((evidence) => evidence !== null),
    ).toHaveLength({ submitted: 0, included: 1, posted: 2, finalized: 3 }[stage]);
  });

  it('follows the stamp without a hint, and ignores false hints', async () => {
    const hints = [FOREIGN_TRANSACTION, word('no transaction')];
    expect((await observeOnce(poll(chains('included').world), null, hints)).memory.stage).toBe('included');
    expect(await observeOnce(poll(chains('sent').world), null, hints)).toMatchObject({
      status: 'agreed',
      memory: { stage: 'pending', transactionHash: null },
    });
  });

  it('rests on the exact transaction of one observer only if its signature is authentic', async () => {
    const { world, hash } = chains('sent');
    const shown: Bent = { onlySecond: true, l2: () => ({ transaction: async () => null }) };
    expect((await observeOnce(poll(world, shown), null, [hash])).memory.stage).toBe('submitted');
    const unproven: Bent = {
      l2: (honest) => ({
        transaction: async (asked) => {
          const seen = await honest.transaction(asked);
          return seen && { ...seen, authentic: null };
        },
      }),
    };
    expect((await observeOnce(poll(world, unproven), null, [hash])).memory.stage).toBe('pending');
  });
});

const other = word('another');

/** Breaks each rule alone on otherwise finalized chains; both observers report it. */
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

describe('a single broken rule', () => {
  it.each(BROKEN)('determines the stage and the reason for %s', async (_rule, bent, stage, status, reason) => {
    const { world, hash } = chains('finalized');
    const seen = await observeOnce(poll(world, bent), null, [hash]);
    expect({ stage: seen.memory.stage, status: seen.status }).toEqual({ stage, status });
    if (reason === null) expect(seen.reason).toBeNull();
    else expect(seen.reason).toMatch(reason);
  });

  it.each(BROKEN)('neither raises nor lowers a stage when one observer alone reports %s', async (_rule, bent) => {
    const { world, hash } = chains('finalized');
    const alone = { ...bent, onlySecond: true };
    expect((await observeOnce(poll(world, alone), null, [hash])).memory.stage).not.toBe('finalized');
    const held = await observeOnce(poll(chains('posted').world), null, []);
    const after = await observeOnce(poll(world, alone), held.memory, [hash]);
    expect(after.memory.stage).toBe('posted');
    expect(after.memory.inclusion).toEqual(held.memory.inclusion);
  });

  it.each(['transaction', 'receipt', 'header', 'batchContaining', 'stampLogs', 'getters', 'codeHash'] as const)(
    'A missing answer to %s from one L2 observer neither raises nor lowers a stage.',
    async (method) => {
      const { world, hash } = chains('finalized');
      const seen = await observeOnce(poll(world, { onlySecond: true, l2: () => ({ [method]: silent }) }), null, [hash]);
      expect(seen).toMatchObject({ status: 'indeterminate' });
      expect(seen.memory.stage).not.toBe('finalized');
    },
  );

  it.each(['header', 'batchDeliveries', 'batchBounds', 'accumulator'] as const)(
    'A missing answer to %s from one L1 observer neither raises nor lowers a stage.',
    async (method) => {
      const { world, hash } = chains('finalized');
      const seen = await observeOnce(poll(world, { onlySecond: true, l1: () => ({ [method]: silent }) }), null, [hash]);
      expect(seen).toMatchObject({ status: 'indeterminate' });
      expect(seen.memory.stage).not.toBe('finalized');
    },
  );
});

describe('the permit window', () => {
  it.each([
    ['its first second', WINDOW.validAfter],
    ['its last second', WINDOW.deadline],
  ])('includes %s', async (_what, timestamp) => {
    const { world, hash } = chains('included');
    expect((await observeOnce(poll(world, { l2: header(byNumber, { timestamp }) }), null, [hash])).memory.stage).toBe(
      'included',
    );
  });
});
