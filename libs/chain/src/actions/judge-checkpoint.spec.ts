import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import { judgeCheckpoint } from './judge-checkpoint.js';

const NOW = 1_800_000_000;
const DAY = 86_400;
const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const CHECKPOINT = { blockNumber: 7n, blockHash: hash('a') };

type Answer = { readonly hash: string; readonly seconds: number } | null | 'silent';

/** Serves headers by number only. A request for state fails. */
const observer = (id: string, answer: Answer): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: '0x',
  async request(method, params) {
    expect([method, params]).toEqual(['eth_getBlockByNumber', ['0x7', false]]);
    if (answer === 'silent') throw new ChainError('RPC_TIMEOUT', { observer: id, method });
    if (answer === null) return null;
    const { hash: blockHash, seconds } = answer;
    return { number: '0x7', hash: blockHash, parentHash: hash('0'), timestamp: `0x${seconds.toString(16)}` };
  },
});
const judge = (first: Answer, second: Answer) =>
  judgeCheckpoint([observer('a', first), observer('b', second)], CHECKPOINT, () => NOW * 1000 + 999);

const block = (seconds: number, digit = 'a') => ({ hash: hash(digit), seconds });

describe('a checkpoint', () => {
  it.each<[string, Answer, object]>([
    ['of now', block(NOW), { kind: 'held' }],
    ['a little ahead of the server’s clock', block(NOW + 5), { kind: 'held' }],
    ['of 24 hours ago', block(NOW - DAY), { kind: 'held' }],
    ['of a second more than 24 hours ago', block(NOW - DAY - 1), { kind: 'stale', problem: 'TOO_OLD' }],
    ['of another chain, or replaced', block(NOW, 'b'), { kind: 'stale', problem: 'NOT_CANONICAL' }],
    ['that neither observer has', null, { kind: 'stale', problem: 'ABSENT' }],
  ])('is judged when it is %s', async (_what, answer, verdict) => {
    expect(await judge(answer, answer)).toEqual(verdict);
  });

  it.each<[string, Answer, Answer, string]>([
    ['only one observer has', block(NOW), null, 'block 7: a and b disagree'],
    ['is another block for one observer', block(NOW), block(NOW, 'b'), 'block 7: a and b disagree'],
    ['one observer is silent about', block(NOW), 'silent', 'block 7: b RPC_TIMEOUT'],
  ])('A checkpoint that %s is neither held nor stale.', async (_what, first, second, reason) => {
    expect(await judge(first, second)).toEqual({ kind: 'indeterminate', reason });
  });
});
