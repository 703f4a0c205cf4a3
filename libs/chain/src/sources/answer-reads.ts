import { keccak256Hex, type SourceAnswer, type SourceRead } from '@launch/contracts';
import { bytesOfHex } from '@launch/evm';
import type { Hex } from 'viem';
import { agree, type Agreement } from '../agreement/agreement.js';
import { ChainError } from '../chain.error.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import { callParameter } from '../reads/eth-call.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { rpcData } from '../rpc/rpc-answers.schema.js';
import { askMany } from './range-headers.js';

/** Questions of one exchange. */
const READS_AT_ONCE = 64;

/**
 * What both observers answer to some reads at one block, which they must still have in their chain. A read of reviewed
 * code that has no answer leaves all of them without one.
 *
 * A question with a bound on its gas is asked of code that nobody reviewed: nodes name its failures each in their own
 * words, so that every failure that is the execution's counts as a revert.
 */
export async function answerReads(
  pair: ObserverPair,
  reads: readonly SourceRead[],
  blockHash: Hex,
): Promise<Agreement<ReadonlyMap<string, SourceAnswer>>> {
  const agreed = await agree<RpcObserver, readonly SourceAnswer[]>(pair, 'reads', (observer) =>
    answersOf(observer, reads, blockHash),
  );
  if (agreed.kind === 'indeterminate') return agreed;
  return { ...agreed, value: new Map(reads.map(({ name }, index) => [name, agreed.value[index]!])) };
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
  for (const some of [...chunks(calls.filter(isReviewed)), ...calls.filter((read) => !isReviewed(read)).map(alone)]) {
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
const isReviewed = ({ gas }: CallRead): boolean => gas === undefined;
/** An answer of unreviewed code may be megabytes: it must not take others along. */
const alone = (read: CallRead): CallRead[] => [read];

const callOf = ({ to, data, gas }: CallRead) =>
  callParameter({ to, data, ...(gas === undefined ? {} : { gas: BigInt(gas) }) });

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += READS_AT_ONCE) yield items.slice(first, first + READS_AT_ONCE);
}

function callAnswer(observer: RpcObserver, read: CallRead, answer: unknown): SourceAnswer {
  if (answer instanceof ChainError) {
    const isExecutions = answer.code === 'RPC_REVERTED' || (!isReviewed(read) && answer.code === 'RPC_REFUSED');
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
