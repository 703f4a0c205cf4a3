import { describe, expect, it } from '@jest/globals';
import type { SourceRead } from '@launch/contracts/index';
import { ChainError } from '../chain.error.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { answerReads } from './answer-reads.js';
import { addressOf, wordOf } from './fixtures/scripted-chain.fixture.js';

const TOKEN = addressOf(0x70);
const reads: readonly SourceRead[] = ['0x01', '0x02', '0x03'].map((data) => ({
  kind: 'call',
  name: `token.${data}`,
  to: TOKEN,
  data: data as '0x01',
  gas: 5_000_000,
}));
const error = (code: 'RPC_REFUSED' | 'RPC_TIMEOUT' | 'RPC_ANSWER_TOO_LARGE') =>
  new ChainError(code, { observer: 'x', method: 'eth_call', rpcCode: -32003, rpcMessage: 'out of gas' });

type Answer = (data: string) => unknown;
const usual: Answer = (data) => `${data}aa`;

/**
 * @param alone answers a single request. @param together answers each request of a batch, or is the error of the batch.
 */
function observerOf(id: string, { alone = usual, together = usual as Answer | ChainError | null } = {}) {
  const exchanges: string[][] = [];
  const dataOf = (params: readonly unknown[]): string => (params[0] as { data: string }).data;
  const observer: RpcObserver = {
    id,
    chainId: 4663,
    originCommitment: wordOf(1),
    async request(_method, params) {
      exchanges.push([dataOf(params)]);
      const said = alone(dataOf(params));
      if (said instanceof ChainError) throw said;
      return said;
    },
    ...(together === null
      ? {}
      : {
          async requestMany(_method: string, questions: readonly (readonly unknown[])[]) {
            exchanges.push(questions.map(dataOf));
            if (together instanceof ChainError) throw together;
            return questions.map((params) => together(dataOf(params)));
          },
        }),
  };
  return { observer, exchanges };
}

const ask = async (...sides: readonly ReturnType<typeof observerOf>[]) =>
  answerReads(sides.map(({ observer }) => observer) as unknown as ObserverPair, reads, wordOf(7));
const returned = (...data: readonly string[]) =>
  new Map(data.map((one) => [`token.${one}`, { kind: 'returned', data: `${one}aa` }]));

describe('reads of unreviewed code', () => {
  it('take one exchange if both observers answer alike', async () => {
    const [a, b] = [observerOf('a'), observerOf('b')];
    expect(await ask(a, b)).toMatchObject({ kind: 'agreed', value: returned('0x01', '0x02', '0x03') });
    expect([a.exchanges, b.exchanges]).toEqual([[['0x01', '0x02', '0x03']], [['0x01', '0x02', '0x03']]]);
  });

  it.each([
    ['an observer accepts no batch', null],
    ['an answer of megabytes fails the batch', error('RPC_ANSWER_TOO_LARGE')],
    ['a batch times out', error('RPC_TIMEOUT')],
  ])('are sent alone if %s', async (_what, together) => {
    const [a, b] = [observerOf('a', { together }), observerOf('b')];
    expect(await ask(a, b)).toMatchObject({ kind: 'agreed', value: returned('0x01', '0x02', '0x03') });
    expect(a.exchanges.filter(({ length }) => length === 1)).toEqual([['0x01'], ['0x02'], ['0x03']]);
  });

  it('are sent alone only for answers that differ in the batch', async () => {
    const together: Answer = (data) => (data === '0x02' ? '0xff' : usual(data));
    const [a, b] = [observerOf('a', { together }), observerOf('b')];
    expect(await ask(a, b)).toMatchObject({ kind: 'agreed', value: returned('0x01', '0x02', '0x03') });
    expect([a.exchanges.length, b.exchanges[1]]).toEqual([2, ['0x02']]);
  });

  it('have no answer if one of them also fails alone', async () => {
    const silent: Answer = (data) => (data === '0x03' ? error('RPC_TIMEOUT') : usual(data));
    const [a, b] = [observerOf('a', { alone: silent, together: silent }), observerOf('b')];
    expect(await ask(a, b)).toEqual({ kind: 'indeterminate', reason: 'token.0x03: RPC_TIMEOUT' });
  });

  it('count as a revert if both executions fail with different errors', async () => {
    const failing: Answer = (data) => (data === '0x01' ? error('RPC_REFUSED') : usual(data));
    const [a, b] = [observerOf('a', { together: failing }), observerOf('b', { together: failing })];
    const answers = await ask(a, b);
    expect(answers.kind === 'agreed' && answers.value.get('token.0x01')).toEqual({ kind: 'reverted' });
    expect(a.exchanges).toHaveLength(1);
  });
});
