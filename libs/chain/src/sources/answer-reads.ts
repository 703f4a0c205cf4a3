import type { SourceAnswer, SourceRead } from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import { keccak256Hex } from '@launch/contracts/primitives';
import { bytesOfHex } from '@launch/evm';
import type { Hex } from 'viem';
import { agree, indeterminate, type Agreement, type Indeterminate } from '../agreement/agreement.js';
import { ChainError } from '../chain.error.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import { callParameter } from '../reads/eth-call.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { rpcData } from '../rpc/rpc-answers.schema.js';
import { askMany } from './ask-many.js';

/** Reads in one exchange. */
const READS_AT_ONCE = 64;

/**
 * Returns the agreed answers to reads at one block, which both observers must still have in their chain. A read of
 * reviewed code without an answer leaves all of them without one.
 *
 * A read with a gas bound targets unreviewed code. Nodes report its failures with different errors, and such code may
 * answer each node differently (by the remaining gas, for example): every failure of the execution, and a difference
 * that persists on a retry, counts as a revert. Only a missing answer leaves the read open.
 */
export async function answerReads(
  pair: ObserverPair,
  reads: readonly SourceRead[],
  blockHash: Hex,
): Promise<Agreement<ReadonlyMap<string, SourceAnswer>>> {
  const reviewed = reads.filter(isReviewed);
  const agreed = await agree<RpcObserver, readonly SourceAnswer[]>(pair, 'reads', (observer) =>
    answersOf(observer, reviewed, blockHash),
  );
  if (agreed.kind === 'indeterminate') return agreed;
  const answers = new Map(reviewed.map(({ name }, index) => [name, agreed.value[index]!]));
  const unreviewed = reads.filter((read): read is CallRead => !isReviewed(read));
  const together = await answeredTogether(pair, unreviewed, blockHash);
  const outcomes = await Promise.all(
    unreviewed.map(async (read) => together.get(read) ?? unreviewedAnswer(pair, read, blockHash)),
  );
  for (const [index, answer] of outcomes.entries()) {
    if (answer.kind === 'indeterminate') return answer;
    answers.set(unreviewed[index]!.name, answer);
  }
  return { ...agreed, value: answers };
}

/**
 * Returns the reads of unreviewed code that both observers answer equally in one batch, as for nearly every token. One
 * answer of megabytes, or a timeout, fails the batch; the reads are then sent alone.
 */
async function answeredTogether(
  pair: ObserverPair,
  reads: readonly CallRead[],
  blockHash: Hex,
): Promise<ReadonlyMap<CallRead, SourceAnswer>> {
  const same = new Map<CallRead, SourceAnswer>();
  if (reads.length < 2) return same;
  const at = stateBlockParameter({ hash: blockHash });
  const questions = reads.map((read) => [callOf(read), at]);
  const [first, second] = await Promise.all(
    pair.map(async (observer) => {
      const answered = await givenTogether(observer, questions);
      return reads.map((read, index) => executedAnswer(observer, read, answered[index]));
    }),
  );
  for (const [index, read] of reads.entries()) {
    const answer = first?.[index] ?? null;
    if (answer !== null && canonicalJsonText(answer) === canonicalJsonText(second?.[index] ?? null))
      same.set(read, answer);
  }
  return same;
}

/** Returns an empty map if an endpoint accepts no batch or did not answer this one. */
async function givenTogether(
  observer: RpcObserver,
  questions: readonly (readonly unknown[])[],
): Promise<readonly unknown[]> {
  try {
    return (await observer.requestMany?.('eth_call', questions)) ?? [];
  } catch (error) {
    if (error instanceof ChainError) return [];
    throw error;
  }
}

/** Returns null if the answer reports nothing about the execution. */
function executedAnswer(observer: RpcObserver, read: CallRead, answer: unknown): SourceAnswer | null {
  try {
    return callAnswer(observer, read, answer);
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** Attempts for a read whose answers differ. */
const ASKED = 2;

/** Sends a read in its own exchange: an answer of unreviewed code may be megabytes and must not fail other reads. */
async function unreviewedAnswer(
  pair: ObserverPair,
  read: CallRead,
  blockHash: Hex,
): Promise<SourceAnswer | Indeterminate> {
  for (let asked = 0; asked < ASKED; asked += 1) {
    try {
      const [first, second] = await Promise.all(
        pair.map(async (observer) => (await answersOf(observer, [read], blockHash))[0]!),
      );
      if (canonicalJsonText(first) === canonicalJsonText(second)) return first!;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return indeterminate(`${read.name}: ${error.code}`);
    }
  }
  return { kind: 'reverted' };
}

async function answersOf(
  observer: RpcObserver,
  reads: readonly SourceRead[],
  blockHash: Hex,
): Promise<readonly SourceAnswer[]> {
  const at = stateBlockParameter({ hash: blockHash });
  const answers = new Map<SourceRead, SourceAnswer>();
  const codes = reads.filter(({ kind }) => kind === 'code');
  const calls = reads.filter((read) => read.kind === 'call');
  for (const some of chunks(codes)) {
    const answered = await askMany(
      observer,
      'eth_getCode',
      some.map(({ to }) => [to, at]),
    );
    some.forEach((read, index) => answers.set(read, codeAnswer(observer, answered[index])));
  }
  for (const some of chunks(calls)) {
    const answered = await askMany(
      observer,
      'eth_call',
      some.map((read) => [callOf(read), at]),
    );
    some.forEach((read, index) => answers.set(read, callAnswer(observer, read, answered[index])));
  }
  return reads.map((read) => answers.get(read)!);
}

type CallRead = Extract<SourceRead, { kind: 'call' }>;
const isReviewed = (read: SourceRead): boolean => read.kind === 'code' || read.gas === undefined;

const callOf = ({ to, data, gas }: CallRead) =>
  callParameter({ to, data, ...(gas === undefined ? {} : { gas: BigInt(gas) }) });

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += READS_AT_ONCE) yield items.slice(first, first + READS_AT_ONCE);
}

/** Failures of a read that the executed code may cause. */
const OF_EXECUTIONS: ReadonlySet<string> = new Set(['RPC_REVERTED', 'RPC_REFUSED', 'RPC_ANSWER_TOO_LARGE']);

function callAnswer(observer: RpcObserver, read: CallRead, answer: unknown): SourceAnswer {
  if (answer instanceof ChainError) {
    const isExecutions = isReviewed(read) ? answer.code === 'RPC_REVERTED' : OF_EXECUTIONS.has(answer.code);
    if (isExecutions) return { kind: 'reverted' };
    throw answer;
  }
  return { kind: 'returned', data: bytesOf(observer, 'eth_call', answer) };
}

function codeAnswer(observer: RpcObserver, answer: unknown): SourceAnswer {
  if (answer instanceof ChainError) throw answer;
  const code = bytesOf(observer, 'eth_getCode', answer);
  return { kind: 'code', hash: code === '0x' ? null : keccak256Hex(bytesOfHex(code)) };
}

function bytesOf(observer: RpcObserver, method: string, answer: unknown): Hex {
  const parsed = rpcData.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method, problem: 'no bytes' });
}
