import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import { agreedLogs, DEFAULT_RANGE_LIMITS } from './agreed-logs.js';
import {
  addressOf,
  asRemoved,
  pairOf,
  wordOf,
  type Fault,
  type ScriptedChain,
} from './fixtures/scripted-chain.fixture.js';

const ROUTER = addressOf(0x5f);
const STAMPED = wordOf(0xaa);
const log = { address: ROUTER, topics: [STAMPED, wordOf(7)] };
const foreign = { address: addressOf(0x99), topics: [STAMPED] };
const otherEvent = { address: ROUTER, topics: [wordOf(0xbb)] };
const filter = { addresses: [ROUTER], topics: [STAMPED] };

const chain: ScriptedChain = {
  first: 100,
  blocks: Array.from({ length: 600 }, (_, index) =>
    index % 50 === 7 ? [foreign, log, log] : index % 10 === 3 ? [foreign, otherEvent] : [],
  ),
};
const LAUNCHES = 24;
/** The last of its blocks. */
const END = '0x2bb';

const failing = (code: 'RPC_TIMEOUT' | 'RPC_REFUSED', struck: string): Fault => {
  const data = { observer: 'a', method: struck, rpcCode: -32005, rpcMessage: 'too many' };
  return (method) => (method === struck ? new ChainError(code, data) : undefined);
};
const removed: Fault = (method, _params, honest) => (method === 'eth_getLogs' ? asRemoved(honest()) : undefined);
const onEthereum: Fault = (method) => (method === 'eth_chainId' ? '0x1' : undefined);
/** The range's end alone is answered, as a gateway that counts questions does. */
const httpStatus =
  (status: number, struck: string): Fault =>
  (method, params) =>
    method === struck && params[0] !== END
      ? new ChainError('RPC_UNREACHABLE', { observer: 'a', method, httpStatus: status })
      : undefined;
const read = (a?: Fault, b?: Fault, of: ScriptedChain = chain, limits = DEFAULT_RANGE_LIMITS) =>
  agreedLogs(pairOf(of, a, b), filter, 100n, 699n, limits);

describe('the logs of a range', () => {
  it('are all of the wanted ones, in order, with the places that the range begins and ends at', async () => {
    const found = await read();
    if (found.kind !== 'complete') throw new Error(found.reason);
    expect(found.logs).toHaveLength(LAUNCHES);
    expect(found.logs.map(({ blockNumber }) => blockNumber)).toEqual(
      [...found.logs].map(({ blockNumber }) => blockNumber).sort((a, b) => Number(a - b)),
    );
    expect([found.first.number, found.last.number]).toEqual([100n, 699n]);
  });

  it('ask for headers in batches of one observer, and for no receipt where no filter errs', async () => {
    const pair = pairOf(chain);
    await agreedLogs(pair, filter, 100n, 699n);
    expect(pair.map(({ asked }) => asked.get('eth_getLogs'))).toEqual([1, 1]);
    expect(pair[1].asked.get('eth_getBlockByNumber')).toBe(1);
    expect(pair[1].asked.get('eth_getBlockReceipts') ?? 0).toBeLessThanOrEqual(60);
  });

  it.each<readonly [string, Fault | undefined, Fault | undefined, boolean]>([
    ['one observer lists none', (method) => (method === 'eth_getLogs' ? [] : undefined), undefined, false],
    [
      'both list none, against the filters of the blocks',
      (method) => (method === 'eth_getLogs' ? [] : undefined),
      (method) => (method === 'eth_getLogs' ? [] : undefined),
      false,
    ],
    ['one marks its logs as removed', removed, undefined, true],
    ['both mark their logs as removed', removed, removed, true],
    ['one gives no answer in time', failing('RPC_TIMEOUT', 'eth_getLogs'), undefined, true],
    ['one is asked too often for its gateway', httpStatus(429, 'eth_getBlockByNumber'), undefined, true],
    ['one gateway takes no such body', undefined, httpStatus(413, 'eth_getLogs'), true],
    ['one gateway is out of order', undefined, httpStatus(502, 'eth_getLogs'), false],
    ['one serves another chain', onEthereum, undefined, false],
    ['both serve another chain', onEthereum, onEthereum, false],
    ['one refuses so many blocks', undefined, failing('RPC_REFUSED', 'eth_getLogs'), true],
    ['headers have no answer', failing('RPC_TIMEOUT', 'eth_getBlockByNumber'), undefined, false],
    ['the receipts that decide have no answer', failing('RPC_REFUSED', 'eth_getBlockReceipts'), undefined, false],
  ])('are no statement where %s', async (_what, a, b, isTooMuch) => {
    const erring = { ...chain, falseBlooms: [101] };
    expect(await read(a, b, erring)).toMatchObject({ kind: 'incomplete', isTooMuch });
  });

  it('are no statement where an answer is as long as an endpoint gives', async () => {
    const limits = { ...DEFAULT_RANGE_LIMITS, logCap: LAUNCHES };
    expect(await read(undefined, undefined, chain, limits)).toMatchObject({ kind: 'incomplete', isTooMuch: true });
  });

  it('are no statement where the observers have other blocks', async () => {
    const forked = { ...chain, forkedFrom: 400 };
    const [a] = pairOf(chain);
    const [, b] = pairOf(forked);
    expect(await agreedLogs([a, b], filter, 100n, 699n)).toMatchObject({ kind: 'incomplete', isTooMuch: false });
    expect(await agreedLogs([a, b], filter, 100n, 399n)).toMatchObject({ kind: 'complete' });
  });

  it('are no statement where the chain was replaced between the logs and the headers', async () => {
    const [forked] = pairOf({ ...chain, forkedFrom: 400 });
    const late: Fault = (method, params) => (method === 'eth_getLogs' ? undefined : forkedAnswer(method, params));
    const forkedAnswers = new Map<string, unknown>();
    for (let block = 100; block < 700; block += 1)
      forkedAnswers.set(
        `0x${block.toString(16)}`,
        await forked.request('eth_getBlockByNumber', [`0x${block.toString(16)}`]),
      );
    const forkedAnswer = (method: string, params: readonly any[]): unknown =>
      method === 'eth_getBlockByNumber' ? forkedAnswers.get(params[0]) : undefined;
    expect(await read(late, late)).toMatchObject({ kind: 'incomplete', reason: expect.stringMatching(/replaced/) });
  });

  it('are complete though a filter errs, when the receipts of the block have none', async () => {
    const erring = { ...chain, falseBlooms: [101, 555] };
    const pair = pairOf(erring);
    const before = pairOf(chain);
    await agreedLogs(before, filter, 100n, 699n);
    expect(await agreedLogs(pair, filter, 100n, 699n)).toMatchObject({ kind: 'complete' });
    expect(pair[0].asked.get('eth_getBlockReceipts')).toBe((before[0].asked.get('eth_getBlockReceipts') ?? 0) + 2);
  });

  it('come with headers of several exchanges at once, in the order of their blocks', async () => {
    const long = { first: 100, blocks: Array.from({ length: 1_400 }, () => []) };
    let [underWay, most] = [0, 0];
    const [a, b] = pairOf(long);
    const counting: RpcObserver = {
      ...a,
      async requestMany(method, questions) {
        underWay += 1;
        most = Math.max(most, underWay);
        const answers = await a.requestMany!(method, questions);
        underWay -= 1;
        return answers;
      },
    };
    const found = await agreedLogs([counting, b], filter, 100n, 1_499n);
    expect(found).toMatchObject({ kind: 'complete', first: { number: 100n }, last: { number: 1_499n } });
    expect(most).toBe(4);
  });
});
