import { ChainError } from '../../chain.error.js';
import type { L1FinalityObserver, L2FinalityObserver } from '../ports.types.js';
import type { LaunchTarget } from '../launch-target.js';
import { stampLogsOf, word } from './launch.fixture.js';
import type { Random } from './random.js';
import type { Snapshot } from './world.js';
import { honestL1, honestL2 } from './views.js';

/** What can be wrong with the one bad observer of a chain. */
export const FAULTS = ['silent', 'flaky', 'empty', 'lagging', 'forked', 'lying'] as const;
export type Fault = (typeof FAULTS)[number];

/** Where an observer stands: at the chains as they are, some moments behind, or on a fork of them. */
export type Views = Readonly<Record<'now' | 'lagging' | 'forked', () => Snapshot>>;

/** A lie takes the honest answer and returns another one; it may invent what nobody did. */
type Lies<O> = {
  readonly [M in Exclude<keyof O, 'id'>]: (truth: Answer<O[M]>, random: Random, target: LaunchTarget) => Answer<O[M]>;
};
type Answer<F> = F extends (...args: never[]) => Promise<infer A> ? A : never;

const otherWord = (random: Random): `0x${string}` => word(`lie ${random.below(1_000_000)}`);

const L2_LIES: Lies<L2FinalityObserver> = {
  transaction(truth, random, target) {
    const invented = { hash: otherWord(random), chainId: 4663n, ...fieldsOf(target), authentic: false };
    return truth === null
      ? invented
      : random.pick([null, { ...truth, input: '0x', authentic: false }, { ...truth, value: 1n, authentic: false }]);
  },
  receipt(truth, random, target) {
    if (truth === null) return null;
    const logs = stampLogsOf(target).map((log, index) => ({
      ...log,
      address: target.router,
      blockNumber: truth.blockNumber,
      blockHash: truth.blockHash,
      transactionHash: truth.transactionHash,
      logIndex: BigInt(index),
    }));
    return random.pick([
      null,
      { ...truth, blockHash: otherWord(random) },
      { ...truth, status: 'reverted' as const, logs: [] },
      { ...truth, status: 'success' as const, logs },
      { ...truth, logs: truth.logs.slice(1) },
      { ...truth, blockNumber: truth.blockNumber + 1n },
    ]);
  },
  header: (truth, random) =>
    truth === null
      ? null
      : random.pick([
          null,
          { ...truth, hash: otherWord(random) },
          { ...truth, timestamp: truth.timestamp + 100_000n },
          { ...truth, number: truth.number + 50n },
        ]),
  stampTransactions: (_truth, random) => random.pick([[], [otherWord(random)]]),
  stampLogs: (truth) => truth.slice(1),
  nonceUsed: (truth) => !truth,
  getters: (truth, random) => ({ ...truth, nonceUsed: !truth.nonceUsed, stampProof: otherWord(random) }),
  codeHash: (_truth, random) => random.pick([null, otherWord(random)]),
  stampedAccount: (truth, random) =>
    random.pick([
      { ...truth, componentProof: otherWord(random) },
      { ...truth, launchIdByComponent: otherWord(random) },
    ]),
  batchContaining: (truth, random) => random.pick([null, 0n, 1n, (truth ?? 0n) + 1n]),
};

const L1_LIES: Lies<L1FinalityObserver> = {
  header: (truth, random) =>
    truth === null
      ? null
      : random.pick([
          null,
          { ...truth, hash: otherWord(random) },
          { ...truth, number: truth.number + 50n },
          { ...truth, number: 0n },
        ]),
  batchDeliveries(truth, random) {
    const invented = {
      batchNumber: 1n,
      afterAcc: otherWord(random),
      blockNumber: 1n,
      blockHash: otherWord(random),
      transactionHash: otherWord(random),
      logIndex: 0n,
    };
    const [first] = truth;
    return first === undefined
      ? [invented]
      : random.pick([
          [],
          [first, first],
          [{ ...first, afterAcc: otherWord(random) }],
          [{ ...first, blockHash: otherWord(random) }],
        ]);
  },
  batchBounds: (truth, random) =>
    random.pick([
      null,
      { sequenceNumber: truth?.sequenceNumber ?? 1n, prevMessageCount: 0n, newMessageCount: 1_000_000n },
    ]),
  accumulator: (_truth, random) => random.pick([null, otherWord(random)]),
};

const fieldsOf = ({ transaction }: LaunchTarget) => ({
  from: transaction.from,
  to: transaction.to,
  value: transaction.value,
  input: transaction.data,
});

/**
 * The bad observer: silent, now and then silent, answering that there is nothing, some moments behind, on a fork, or
 * lying in some of its answers.
 */
export function faultyL2(
  id: string,
  fault: Fault,
  target: LaunchTarget,
  random: Random,
  views: Views,
): L2FinalityObserver {
  return spoil(honestL2(id, target, viewOf(fault, views)), fault, L2_LIES, target, random);
}

export function faultyL1(
  id: string,
  fault: Fault,
  target: LaunchTarget,
  random: Random,
  views: Views,
): L1FinalityObserver {
  return spoil(honestL1(id, viewOf(fault, views)), fault, L1_LIES, target, random);
}

const viewOf = (fault: Fault, views: Views): (() => Snapshot) =>
  fault === 'lagging' || fault === 'forked' ? views[fault] : views.now;

/** An answer of the same kind that says there is nothing. */
function nothingOf(truth: unknown): unknown {
  if (Array.isArray(truth)) return [];
  return typeof truth === 'boolean' ? false : null;
}

function spoil<O extends { readonly id: string }>(
  honest: O,
  fault: Fault,
  lies: Lies<O>,
  target: LaunchTarget,
  random: Random,
): O {
  if (fault === 'lagging' || fault === 'forked') return honest;
  const spoiled: Record<string, unknown> = { id: honest.id };
  for (const [method, lie] of Object.entries(lies) as [
    string,
    (truth: unknown, random: Random, target: LaunchTarget) => unknown,
  ][]) {
    spoiled[method] = async (...args: unknown[]): Promise<unknown> => {
      if (fault === 'silent' || (fault === 'flaky' && random.chance(0.5)))
        throw new ChainError('RPC_TIMEOUT', { observer: honest.id, method });
      if (fault === 'empty' && (method === 'getters' || method === 'stampedAccount'))
        throw new ChainError('RPC_ANSWER_INVALID', { observer: honest.id, method, problem: 'empty' });
      const truth = await (honest as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(
        ...args,
      );
      if (fault === 'empty') return nothingOf(truth);
      return fault === 'lying' && random.chance(0.6) ? lie(truth, random, target) : truth;
    };
  }
  return spoiled as O;
}

/** An observer during whose every answer the chains may move on. */
export function moving<O extends { readonly id: string }>(observer: O, move: () => void): O {
  return new Proxy(observer, {
    get(inner, property, receiver) {
      const value: unknown = Reflect.get(inner, property, receiver);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]): Promise<unknown> => {
        const answer: unknown = await (value as (...args: unknown[]) => Promise<unknown>)(...args);
        move();
        return answer;
      };
    },
  });
}
