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

/** Questions of one exchange. */
const READS_AT_ONCE = 64;

/**
 * What both observers answer to some reads at one block, which they must still have in their chain. A read of reviewed
 * code that has no answer leaves all of them without one.
 *
 * A question with a bound on its gas is asked of code that nobody reviewed. Nodes name its failures each in their own
 * words, and such code may answer each of them otherwise (by the gas that is left, say): every failure that is the
 * execution's, and a difference that stays when it is asked again, counts as a revert. Only silence leaves it open.
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
  const told = await Promise.all(
    unreviewed.map(async (read) => together.get(read) ?? unreviewedAnswer(pair, read, blockHash)),
  );
  for (const [index, answer] of told.entries()) {
    if (answer.kind === 'indeterminate') return answer;
    answers.set(unreviewed[index]!.name, answer);
  }
  return { ...agreed, value: answers };
}

/**
 * Those of some questions to unreviewed code to which both observers give the same answer when all are asked in one
 * exchange, as of nearly every token. One answer of megabytes, or a silence, takes the exchange: the others are asked alone.
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

/** Empty where an endpoint takes no batch, or gives no answer to this one. */
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

/** Null where it says nothing of the execution. */
function executedAnswer(observer: RpcObserver, read: CallRead, answer: unknown): SourceAnswer | null {
  try {
    return callAnswer(observer, read, answer);
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** Times that a question is asked whose answers differ. */
const ASKED = 2;

/** An exchange of its own: an answer of unreviewed code may be megabytes, and must not take others along. */
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

/** How a question to unreviewed code fails by what that code does. */
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
