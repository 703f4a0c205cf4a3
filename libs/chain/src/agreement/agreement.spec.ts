import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { agree } from './agreement.js';
import { commonHead } from './common-head.js';
import { latestHeaders } from '../actions/latest-headers.js';

const pair: readonly [{ id: string }, { id: string }] = [{ id: 'a' }, { id: 'b' }];
const timeout = (id: string): ChainError => new ChainError('RPC_TIMEOUT', { observer: id, method: 'eth_call' });

describe('agreement', () => {
  it('is a value of both observers in any order of its fields, with a note of each observer', async () => {
    const said = await agree(
      pair,
      'thing',
      async ({ id }) => (id === 'a' ? { x: 1n, y: null } : { y: null, x: 1n }),
      undefined,
      () => 0,
    );
    expect(said).toMatchObject({ kind: 'agreed', value: { x: 1n } });
    if (said.kind !== 'agreed') throw new Error('unreachable');
    expect(said.observers.map(({ id, observedAt }) => [id, observedAt])).toEqual([
      ['a', '1970-01-01T00:00:00.000Z'],
      ['b', '1970-01-01T00:00:00.000Z'],
    ]);
    expect(said.observers[0].responseSha256).toBe(said.observers[1].responseSha256);
  });

  it.each([
    ['different values', async (id: string) => id, /thing: a and b disagree/],
    ['a value and nothing', async (id: string) => (id === 'a' ? 1n : null), /disagree/],
    [
      'an error of one',
      async (id: string) => {
        if (id === 'b') throw timeout(id);
        return 1n;
      },
      /thing: b RPC_TIMEOUT/,
    ],
    [
      'errors of both',
      async (id: string) => {
        throw timeout(id);
      },
      /thing: a RPC_TIMEOUT/,
    ],
  ])('is no statement for %s', async (_what, read, reason) => {
    const said = await agree(pair, 'thing', ({ id }) => read(id) as Promise<unknown>);
    expect(said.kind).toBe('indeterminate');
    expect(said.kind === 'indeterminate' ? said.reason : '').toMatch(reason);
  });

  it('compares only the part that must be equal', async () => {
    const said = await agree(
      pair,
      'thing',
      async ({ id }) => ({ verdict: 'ok', gas: id }),
      ({ verdict }) => verdict,
    );
    expect(said).toMatchObject({ kind: 'agreed', value: { gas: 'a' } });
  });

  it('does not report an internal fault as a provider’s', async () => {
    await expect(
      agree(pair, 'thing', async () => {
        throw new TypeError('ours');
      }),
    ).rejects.toThrow('ours');
  });
});

const HASH = (digit: number): `0x${string}` => `0x${String(digit).repeat(64)}`;
const node = (id: string, head: number, seconds: number, hashAt = (number: number) => HASH(number)): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: '0x',
  async request(_method, [tag]) {
    const number = typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head;
    return number > head
      ? null
      : {
          number: `0x${number.toString(16)}`,
          hash: hashAt(number),
          parentHash: HASH(0),
          timestamp: `0x${seconds.toString(16)}`,
        };
  },
});

describe('the common head', () => {
  it('is the lower of both heads if both observers have the same block there', async () => {
    expect(await commonHead([node('a', 7, 100), node('b', 5, 100)])).toMatchObject({
      kind: 'agreed',
      value: { number: 5n, hash: HASH(5) },
    });
    const forked: ObserverPair = [node('a', 7, 100), node('b', 5, 100, () => HASH(9))];
    expect(await commonHead(forked)).toMatchObject({ kind: 'indeterminate', reason: 'block 5: a and b disagree' });
  });
});

describe('the clock', () => {
  const now = (): number => 1_000_000;
  it.each([
    ['in step', 1_000, 1_120, { kind: 'in-step' }],
    ['at the bound behind', 880, 1_000, { kind: 'in-step' }],
    ['too far ahead', 1_000, 1_121, { kind: 'skewed', observer: 'b', skewSeconds: 121n }],
    ['too far behind', 879, 1_000, { kind: 'skewed', observer: 'a', skewSeconds: -121n }],
  ])('is %s', async (_what, a, b, expected) => {
    expect(await latestHeaders([node('a', 1, a), node('b', 1, b)], now)).toMatchObject(expected);
  });
});
