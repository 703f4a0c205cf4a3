import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import { agreedLogs, DEFAULT_RANGE_LIMITS, moreAgreedLogs } from './agreed-logs.js';
import {
  addressOf,
  asRemoved,
  pairOf,
  wordOf,
  type Fault,
  type ScriptedChain,
} from './fixtures/scripted-chain.fixture.js';
import { createChainReads, readsOf } from './range-reads.js';

const ROUTER = addressOf(0x5f);
const STAMPED = wordOf(0xaa);
const log = { address: ROUTER, topics: [STAMPED, wordOf(7)] };
const foreign = { address: addressOf(0x99), topics: [STAMPED] };
const otherEvent = { address: ROUTER, topics: [wordOf(0xbb)] };
const stranger = { address: addressOf(0x98), topics: [] };
const filter = { addresses: [ROUTER], topics: [STAMPED] };

const chain: ScriptedChain = {
  first: 100,
  blocks: Array.from({ length: 600 }, (_, index) =>
    index % 50 === 7 ? [foreign, log, log] : index % 10 === 3 ? [foreign, otherEvent] : [],
  ),
};
/** The same chain with filters that match every log on blocks with a foreign log. */
const erringAt = (...blocks: readonly number[]): ScriptedChain => ({
  ...chain,
  blocks: chain.blocks.map((logs, index) => (blocks.includes(100 + index) ? [stranger] : logs)),
  falseBlooms: blocks,
});
const LAUNCHES = 24;
const FALSE_ALARMS = 60;
/** The last of its blocks. */
const END = '0x2bb';

const failing = (code: 'RPC_TIMEOUT' | 'RPC_REFUSED', struck: string): Fault => {
  const data = { observer: 'a', method: struck, rpcCode: -32005, rpcMessage: 'too many' };
  return (method) => (method === struck ? new ChainError(code, data) : undefined);
};
const removed: Fault = (method, _params, honest) => (method === 'eth_getLogs' ? asRemoved(honest()) : undefined);
const listingNone: Fault = (method) => (method === 'eth_getLogs' ? [] : undefined);
const onEthereum: Fault = (method) => (method === 'eth_chainId' ? '0x1' : undefined);
/** Fails every request but that of the range's end, like a proxy that counts requests. */
const httpStatus =
  (status: number, struck: string): Fault =>
  (method, params) =>
    method === struck && params[0] !== END
      ? new ChainError('RPC_UNREACHABLE', { observer: 'a', method, httpStatus: status })
      : undefined;
const timeout = new ChainError('RPC_TIMEOUT', { observer: 'a', method: 'eth_getLogs' });
const tooLarge = new ChainError('RPC_ANSWER_TOO_LARGE', { observer: 'a', method: 'eth_getLogs', limit: 1 });
/** Strikes requests for the logs of one block by its hash. */
const ofBlocks =
  (answer: (question: any, honest: () => any) => unknown): Fault =>
  (method, params, honest) =>
    method === 'eth_getLogs' && params[0].blockHash !== undefined ? answer(params[0], honest) : undefined;
const foreignLog = { ...log, data: '0x', blockNumber: '0x65' };
const read = (a?: Fault, b?: Fault, of: ScriptedChain = chain, limits = DEFAULT_RANGE_LIMITS) =>
  agreedLogs(readsOf(pairOf(of, a, b)), filter, 100n, 699n, limits);

describe('the logs of a range', () => {
  it('are complete and in order, with the first and last block of the range', async () => {
    const found = await read();
    if (found.kind !== 'complete') throw new Error(found.reason);
    expect(found.logs).toHaveLength(LAUNCHES);
    expect(found.logs.map(({ blockNumber }) => blockNumber)).toEqual(
      [...found.logs].map(({ blockNumber }) => blockNumber).sort((a, b) => Number(a - b)),
    );
    expect([found.first.number, found.last.number]).toEqual([100n, 699n]);
  });

  it('need headers in batches from one observer, and single blocks only after a false positive of a filter', async () => {
    const pair = pairOf(chain);
    await agreedLogs(readsOf(pair), filter, 100n, 699n);
    // Other contracts emit some of the router's logs and events, so these blocks' filters match both.
    expect(pair.map(({ asked }) => asked.get('eth_getLogs'))).toEqual([1 + 2 * FALSE_ALARMS, 1 + 2 * FALSE_ALARMS]);
    expect(pair[1].asked.get('eth_getBlockByNumber')).toBe(1);
    expect(pair[1].asked.get('eth_getBlockReceipts')).toBeUndefined();
  });

  it.each<readonly [string, Fault | undefined, Fault | undefined, boolean]>([
    ['one observer returns none', listingNone, undefined, false],
    ['both return none, against the filters of the blocks', listingNone, listingNone, false],
    ['one marks its logs as removed', removed, undefined, true],
    ['both mark their logs as removed', removed, removed, true],
    ['one times out', failing('RPC_TIMEOUT', 'eth_getLogs'), undefined, true],
    ['one exceeds its proxy’s request limit', httpStatus(429, 'eth_getBlockByNumber'), undefined, true],
    ['one proxy refuses the body size', undefined, httpStatus(413, 'eth_getLogs'), true],
    ['one proxy is out of order', undefined, httpStatus(502, 'eth_getLogs'), false],
    ['one serves another chain', onEthereum, undefined, false],
    ['both serve another chain', onEthereum, onEthereum, false],
    ['one refuses so many blocks', undefined, failing('RPC_REFUSED', 'eth_getLogs'), true],
    ['headers fail', failing('RPC_TIMEOUT', 'eth_getBlockByNumber'), undefined, false],
    ['a block with a matching filter fails', ofBlocks(() => timeout), undefined, false],
    ['they differ on a block with a matching filter', ofBlocks(() => [foreignLog]), undefined, false],
  ])('are unknown if %s', async (_what, a, b, isTooMuch) => {
    const erring = erringAt(101);
    expect(await read(a, b, erring)).toMatchObject({ kind: 'incomplete', isTooMuch });
  });

  it('are unknown if an answer reaches the endpoint’s log limit', async () => {
    const limits = { ...DEFAULT_RANGE_LIMITS, logCap: LAUNCHES };
    expect(await read(undefined, undefined, chain, limits)).toMatchObject({ kind: 'incomplete', isTooMuch: true });
  });

  it('are unknown if the observers have different blocks', async () => {
    const forked = { ...chain, forkedFrom: 400 };
    const [a] = pairOf(chain);
    const [, b] = pairOf(forked);
    expect(await agreedLogs(readsOf([a, b]), filter, 100n, 699n)).toMatchObject({
      kind: 'incomplete',
      isTooMuch: false,
    });
    expect(await agreedLogs(readsOf([a, b]), filter, 100n, 399n)).toMatchObject({ kind: 'complete' });
  });

  it('are unknown if a reorg replaced the chain between the logs and the headers', async () => {
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

  it('are complete despite a false positive of a filter, if the block has none by its hash', async () => {
    const erring = erringAt(101, 555);
    const pair = pairOf(erring);
    expect(await agreedLogs(readsOf(pair), filter, 100n, 699n)).toMatchObject({ kind: 'complete' });
    expect(pair[0].asked.get('eth_getLogs')).toBe(1 + 2 * (FALSE_ALARMS + 2));
  });

  it('include those of a block that the range query lacks, since its filter matches them', async () => {
    const whole = await read();
    expect(await read(undefined, undefined, { ...chain, unindexed: [157, 357] })).toMatchObject({
      kind: 'complete',
      logs: whole.kind === 'complete' ? whole.logs : [],
    });
  });

  it('include those of a block that both observers indexed after an earlier empty answer', async () => {
    let isIndexed = false;
    const behind: Fault = (method) => (method === 'eth_getLogs' && !isIndexed ? [] : undefined);
    const reads = createChainReads(pairOf(chain, behind, behind));
    await expect(agreedLogs(reads.under(), filter, 100n, 699n)).resolves.toMatchObject({
      kind: 'incomplete',
      cause: 'transient',
    });
    isIndexed = true;
    const found = await agreedLogs(reads.under(), filter, 107n, 107n);
    expect(found.kind === 'complete' && found.logs).toHaveLength(2);
  });

  it('name the failing block and whether the failure is permanent', async () => {
    const erring = erringAt(101);
    const block = { number: 101n, parentHash: expect.any(String), hash: expect.any(String) };
    expect(
      await read(
        ofBlocks(() => timeout),
        undefined,
        erring,
      ),
    ).toMatchObject({
      cause: 'transient',
      obstacle: { from: 101n, to: 101n, block },
    });
    expect(
      await read(
        ofBlocks(() => tooLarge),
        undefined,
        erring,
      ),
    ).toMatchObject({
      cause: 'unreadable',
      obstacle: { from: 101n, to: 101n, block },
    });
    const timedOut: Fault = (method) => (method === 'eth_getLogs' ? timeout : undefined);
    expect(await read(timedOut)).toMatchObject({ cause: 'too-much', obstacle: { from: 100n, to: 699n, block: null } });
  });

  it('The logs of one block are read by its hash, and per source if those of all sources are too large.', async () => {
    const pair = pairOf(
      chain,
      ofBlocks(({ topics }) => (topics?.length === 0 ? tooLarge : undefined)),
    );
    const found = await agreedLogs(readsOf(pair), filter, 107n, 107n);
    expect(found).toMatchObject({ kind: 'complete', logs: [{ address: ROUTER }, { address: ROUTER }] });
    expect(pair.map(({ asked }) => asked.get('eth_getLogs'))).toEqual([3, 3]);
  });

  it('come with headers of parallel exchanges, in the order of their blocks', async () => {
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
    const found = await agreedLogs(readsOf([counting, b]), filter, 100n, 1_499n);
    expect(found).toMatchObject({ kind: 'complete', first: { number: 100n }, last: { number: 1_499n } });
    expect(most).toBe(4);
  });
});

describe('the sources of a chain', () => {
  const sources = Array.from({ length: 9 }, (_, index) => ({
    addresses: [addressOf(0x5f + index)],
    topics: [wordOf(0xaa + index)],
  }));
  const saturated: ScriptedChain = {
    first: 100,
    blocks: Array.from({ length: 40 }, (_, index) =>
      index === 7 ? sources.map(({ addresses, topics }) => ({ address: addresses[0]!, topics })) : [stranger],
    ),
    falseBlooms: Array.from({ length: 40 }, (_, index) => 100 + index),
  };
  const logQueries = (pair: ReturnType<typeof pairOf>) => pair.map(({ asked }) => asked.get('eth_getLogs'));

  it('Sources share one query of a range and one query of each block with a full filter, each with its own logs.', async () => {
    const pair = pairOf(saturated);
    const reads = createChainReads(pair).under();
    for (const source of sources) reads.watch(source);
    for (const found of await Promise.all(sources.map((source) => agreedLogs(reads, source, 100n, 139n))))
      expect(found).toMatchObject({ kind: 'complete', logs: [{ blockNumber: 107n }] });
    // One range query, and two queries for each of the 39 blocks without a wanted log: whether the block is indexed,
    // and its logs of the sources.
    expect(logQueries(pair)).toEqual([79, 79]);
    expect(pair[0].asked.get('eth_getBlockByNumber')).toBe(41);
  });

  it('read a block once, regardless of later heads', async () => {
    const pair = pairOf(saturated);
    const chainReads = createChainReads(pair);
    for (const view of [chainReads.under(), chainReads.under()]) {
      for (const source of sources) view.watch(source);
      expect(await agreedLogs(view, sources[0]!, 110n, 139n)).toMatchObject({ kind: 'complete', logs: [] });
    }
    expect(logQueries(pair)).toEqual([62, 62]);
  });

  it('Sources share other logs of the range by the same filter.', async () => {
    const pair = pairOf(chain);
    const reads = createChainReads(pair).under();
    const found = await agreedLogs(reads, filter, 100n, 699n);
    if (found.kind !== 'complete') throw new Error(found.reason);
    const before = pair[0].asked.get('eth_getLogs')!;
    const other = { addresses: [ROUTER], topics: [wordOf(0xbb)] };
    const twice = await Promise.all([0, 1].map(() => moreAgreedLogs(reads, other, found.blocks)));
    for (const more of twice) expect(more).toMatchObject({ kind: 'complete', logs: { length: 60 } });
    expect(pair[0].asked.get('eth_getLogs')).toBe(before + 1);
  });

  it('Each source queries its own logs if those of all are too large.', async () => {
    const refused: Fault = (method, params) =>
      method === 'eth_getLogs' && params[0].address?.length > 1 ? tooLarge : undefined;
    const pair = pairOf(chain, refused, refused);
    const reads = createChainReads(pair).under();
    const other = { addresses: [addressOf(0x99)], topics: [STAMPED] };
    reads.watch(other);
    expect(await agreedLogs(reads, filter, 100n, 399n)).toMatchObject({ kind: 'complete', logs: { length: 12 } });
    expect(await agreedLogs(reads, other, 100n, 399n)).toMatchObject({ kind: 'complete', logs: { length: 36 } });
  });
});
