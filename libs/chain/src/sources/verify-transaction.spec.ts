import { describe, expect, it } from '@jest/globals';
import { INDEX_SOURCE_SCHEMA, type IndexSource, type SourceRead } from '@launch/contracts/index';
import type { SourceAdapter } from '@launch/evm/sources';
import { keccak256 } from 'viem';
import { ChainError } from '../chain.error.js';
import {
  addressOf,
  asRemoved,
  pairOf,
  transactionHashOf,
  wordOf,
  type Fault,
  type Params,
  type ScriptedChain,
} from './fixtures/scripted-chain.fixture.js';
import { agreedLogs } from './agreed-logs.js';
import { readsOf } from './range-reads.js';
import type { ChainPlace } from './range-result.js';
import { verifyReceipt, verifyTransaction } from './verify-transaction.js';

const SOURCE: IndexSource = {
  schemaVersion: INDEX_SOURCE_SCHEMA,
  sourceVersion: 'custom-router-v1',
  chainId: 4663,
  address: addressOf(0x5f),
  runtimeCodeHash: keccak256('0x60'),
  startBlock: '0',
  endBlock: null,
  abiSha256: `sha256:${'0'.repeat(64)}`,
  factoryVersion: null,
  contracts: {},
  profile: 'reference',
  sourceCommit: 'c'.repeat(40),
  finalityPolicyId: 'chain-ethereum-finalized-v1',
};
const chain: ScriptedChain = {
  first: 10,
  blocks: [[], [{ address: SOURCE.address, topics: [wordOf(1), wordOf(2)] }], []],
};
const HASH = transactionHashOf(11, 0);

const reviewed = (name: string): SourceRead => ({ kind: 'call', name, to: SOURCE.address, data: '0x01' });
const unreviewed: SourceRead = { kind: 'call', name: 'token.name', to: addressOf(0x70), data: '0x02', gas: 5_000_000 };
/**
 * Makes two rounds of reads: the first answer determines the second read. It fails with the answer, so that a test sees
 * it.
 */
const adapter: SourceAdapter = {
  sourceVersion: 'custom-router-v1',
  abi: [],
  anchorTopics: [wordOf(1)],
  candidates: (_source, { logs }) => logs.map((anchor) => ({ anchor, key: anchor.topics[1]!, logs: [anchor] })),
  reads: (_source, _candidate, answers) =>
    answers.size === 0
      ? [reviewed('router.first'), { kind: 'code', name: 'router.code', to: SOURCE.address }, unreviewed]
      : answers.has('router.second')
        ? []
        : [reviewed('router.second')],
  judge: (_source, _receipt, _candidate, answers) => ({
    kind: 'fail',
    reason: 'GETTER_MISMATCH',
    detail: JSON.stringify([...answers]),
  }),
};

const contracts = (method: string, params: Params): unknown => {
  if (method === 'eth_getCode') return '0x60';
  if (method === 'eth_call') return params[0].data === '0x02' ? '0xaa' : '0xbb';
  return undefined;
};
const struck =
  (method: string, error: (to: string) => unknown): Fault =>
  (asked, params) =>
    asked === method ? (error(params[0]?.to) ?? contracts(asked, params)) : contracts(asked, params);
const refused = (code: 'RPC_REFUSED' | 'RPC_TIMEOUT') =>
  new ChainError(code, { observer: 'x', method: 'eth_call', rpcCode: -32003, rpcMessage: 'out of gas' });
const onlyOf = (account: string, error: ChainError) => (to: string) => (to === account ? error : undefined);
const removed: Fault = (method, params, honest) => {
  if (method === 'eth_getLogs') return asRemoved(honest());
  if (method !== 'eth_getTransactionReceipt') return contracts(method, params);
  const receipt = honest();
  return { ...receipt, logs: asRemoved(receipt.logs) };
};
const verify = (a: Fault = contracts, b: Fault = contracts, hash = HASH) =>
  verifyReceipt(readsOf(pairOf(chain, a, b)), SOURCE, adapter, hash);

async function answersOf(a?: Fault, b?: Fault): Promise<Record<string, unknown>> {
  const judged = await verify(a, b);
  if (judged.kind !== 'judged') throw new Error(judged.kind === 'none' ? 'none' : judged.reason);
  const [launch] = judged.launches;
  if (launch?.verdict.kind !== 'fail') throw new Error('no launch was judged');
  return Object.fromEntries(JSON.parse(launch.verdict.detail) as [string, unknown][]);
}

describe('a receipt', () => {
  it('is judged by reads of several rounds at its own block', async () => {
    const asked: unknown[] = [];
    const seen: Fault = (method, params) => {
      if (method === 'eth_call' || method === 'eth_getCode') asked.push(params[1]);
      return contracts(method, params);
    };
    expect(await answersOf(seen)).toEqual({
      'router.first': { kind: 'returned', data: '0xbb' },
      'router.code': { kind: 'code', hash: keccak256('0x60') },
      'token.name': { kind: 'returned', data: '0xaa' },
      'router.second': { kind: 'returned', data: '0xbb' },
    });
    const judged = await verify();
    const blockHash = judged.kind === 'judged' ? judged.receipt.block.hash : null;
    expect(new Set(asked.map((at) => JSON.stringify(at)))).toEqual(
      new Set([JSON.stringify({ blockHash, requireCanonical: true })]),
    );
  });

  it('is judged although unreviewed code fails with each node’s own error', async () => {
    const outOfGas = struck('eth_call', onlyOf(unreviewed.to, refused('RPC_REFUSED')));
    expect(await answersOf(outOfGas, outOfGas)).toMatchObject({ 'token.name': { kind: 'reverted' } });
  });

  it('is judged although unreviewed code answers each node differently, or exceeds the size limit of one', async () => {
    const otherwise = struck('eth_call', (to) => (to === unreviewed.to ? '0xab' : undefined));
    expect(await answersOf(otherwise)).toMatchObject({
      'router.first': { kind: 'returned', data: '0xbb' },
      'token.name': { kind: 'reverted' },
    });
    const tooLarge = new ChainError('RPC_ANSWER_TOO_LARGE', { observer: 'x', method: 'eth_call', limit: 1 });
    expect(await answersOf(struck('eth_call', onlyOf(unreviewed.to, tooLarge)))).toMatchObject({
      'token.name': { kind: 'reverted' },
    });
  });

  it('has the answer of unreviewed code on which both agree on a retry', async () => {
    let asked = 0;
    const once = struck('eth_call', (to) => (to === unreviewed.to && (asked += 1) === 1 ? '0xab' : undefined));
    expect(await answersOf(once)).toMatchObject({ 'token.name': { kind: 'returned', data: '0xaa' } });
  });

  it.each<readonly [string, Fault | undefined, Fault | undefined]>([
    [
      'one observer does not answer a read of unreviewed code',
      struck('eth_call', onlyOf(unreviewed.to, refused('RPC_TIMEOUT'))),
      undefined,
    ],
    [
      'both refuse a read of reviewed code',
      struck('eth_call', onlyOf(SOURCE.address, refused('RPC_REFUSED'))),
      struck('eth_call', onlyOf(SOURCE.address, refused('RPC_REFUSED'))),
    ],
    [
      'both observers serve another chain',
      (method, params) => (method === 'eth_chainId' ? '0x1' : contracts(method, params)),
      (method, params) => (method === 'eth_chainId' ? '0x1' : contracts(method, params)),
    ],
    ['a read differs', struck('eth_call', () => '0xcc'), undefined],
    ['a code differs', (method, params) => (method === 'eth_getCode' ? '0x61' : contracts(method, params)), undefined],
    [
      'one observer does not know the transaction',
      (method, params) => (method === 'eth_getTransactionByHash' ? null : contracts(method, params)),
      undefined,
    ],
    [
      'one observer has another block there',
      (method, params) => (method === 'eth_getBlockByNumber' ? null : contracts(method, params)),
      undefined,
    ],
    ['one observer marks its logs as removed', removed, undefined],
    ['both observers mark its logs as removed', removed, removed],
  ])('has no verdict if %s', async (_what, a, b) => {
    const judged = await verify(a, b);
    if (judged.kind === 'judged')
      expect(judged).toMatchObject({ launches: [], open: [{ isUnreadable: false, reason: expect.any(String) }] });
    else expect(judged).toMatchObject({ kind: 'indeterminate' });
  });

  it('has no verdict if both observers lack it or its block is not canonical', async () => {
    expect(await verify(undefined, undefined, wordOf(9))).toEqual({
      kind: 'indeterminate',
      reason: 'transaction: absent',
    });
    const replaced: Fault = (method, params) => {
      if (method !== 'eth_getBlockByNumber') return contracts(method, params);
      return { number: '0xb', hash: wordOf(5), parentHash: wordOf(4), timestamp: '0x1' };
    };
    expect(await verify(replaced, replaced)).toMatchObject({
      kind: 'indeterminate',
      reason: 'transaction: its block is not the canonical one',
    });
  });
});

describe('a launch among foreign logs', () => {
  const anchorOf = (id: number) => ({ address: SOURCE.address, topics: [wordOf(1), wordOf(id)], transaction: 0 });
  const noise = Array.from({ length: 60_000 }, (_, at) => ({
    address: addressOf(0x99),
    topics: [wordOf(1), wordOf(at)],
    transaction: 0,
  }));
  const crowded: ScriptedChain = { first: 10, blocks: [[], [...noise, anchorOf(7), anchorOf(8)], []] };
  const transactionHash = transactionHashOf(11, 0);
  const blockOf = async (): Promise<ChainPlace> => {
    const filter = { addresses: [SOURCE.address], topics: [wordOf(1)] };
    const found = await agreedLogs(readsOf(pairOf(crowded)), filter, 11n, 11n);
    if (found.kind !== 'complete') throw new Error(found.reason);
    return found.first;
  };
  const judged = async (a: Fault = contracts, b: Fault = contracts, of: Partial<SourceAdapter> = {}) => {
    const pair = pairOf(crowded, a, b);
    const [block, reads] = [await blockOf(), readsOf(pair)];
    const verified = (givenUp?: ReadonlySet<number>) =>
      verifyTransaction(reads, SOURCE, { ...adapter, ...of }, { transactionHash, block }, givenUp);
    return { pair, verified };
  };
  const sized =
    (limit: number): Fault =>
    (method, params, honest) => {
      if (method !== 'eth_getLogs' && method !== 'eth_getTransactionReceipt') return contracts(method, params);
      return JSON.stringify(honest()).length > limit
        ? new ChainError('RPC_ANSWER_TOO_LARGE', { observer: 'x', method, limit })
        : undefined;
    };

  it('is judged by the logs of its own contract, regardless of 60,000 others in its transaction', async () => {
    const { pair, verified } = await judged(sized(4_096), sized(4_096));
    const found = await verified();
    expect(found).toMatchObject({ kind: 'judged', open: [], receipt: { status: 'success', transactionIndex: 0 } });
    expect(found.kind === 'judged' && found.receipt.logs.map(({ logIndex }) => logIndex)).toEqual([60_000, 60_001]);
    expect(pair[0].asked.get('eth_getTransactionReceipt')).toBeUndefined();
  });

  it('is judged by the receipt if an endpoint returns no logs of a block', async () => {
    const unlisting: Fault = (method, params) =>
      method === 'eth_getLogs' ? refused('RPC_REFUSED') : contracts(method, params);
    const [listed, received] = [await judged(), await judged(unlisting, unlisting)];
    expect(await received.verified()).toEqual(await listed.verified());
  });

  it('is unreadable and names its transaction if both exceed the answer limit', async () => {
    const { verified } = await judged(sized(16), sized(16));
    expect(await verified()).toEqual({
      kind: 'unreadable',
      transactionHash,
      reason: expect.stringMatching(/RPC_ANSWER_TOO_LARGE/),
    });
  });

  it('is open alone if its token is silent, and is not read once it was given up', async () => {
    const silent: Fault = (method, params) =>
      method === 'eth_call' && params[0].to === addressOf(0x70) ? refused('RPC_TIMEOUT') : contracts(method, params);
    const reads: SourceAdapter['reads'] = (_source, { key }, answers) =>
      answers.size > 0 ? [] : key === wordOf(8) ? [unreviewed] : [reviewed('router.first')];
    const { pair, verified } = await judged(silent, silent, { reads });
    expect(await verified()).toMatchObject({
      launches: [{ candidate: { key: wordOf(7) } }],
      open: [{ candidate: { key: wordOf(8) }, isUnreadable: false, reason: 'token.name: RPC_TIMEOUT' }],
    });
    const asked = pair[0].asked.get('eth_call');
    expect(await verified(new Set([60_001]))).toMatchObject({
      launches: [{ candidate: { key: wordOf(7) } }],
      open: [{ candidate: { key: wordOf(8) }, isUnreadable: true }],
    });
    // A judged launch is remembered.
    expect(pair[0].asked.get('eth_call')).toBe(asked);
  });

  it.each<readonly [string, Partial<SourceAdapter>, RegExp]>([
    [
      'throws',
      {
        judge: () => {
          throw new TypeError('no such member');
        },
      },
      /no such member/,
    ],
    ['never stops reading', { reads: (_source, _candidate, { size }) => [reviewed(`router.${size}`)] }, /without end/],
    [
      'reads more than a document holds',
      { reads: () => Array.from({ length: 1_025 }, (_, at) => reviewed(`router.${at}`)) },
      /1025 reads/,
    ],
  ])('is unreadable if its adapter %s', async (_what, of, reason) => {
    const { verified } = await judged(contracts, contracts, of);
    const open = { isUnreadable: true, reason: expect.stringMatching(reason) };
    expect(await verified()).toMatchObject({ kind: 'judged', launches: [], open: [open, open] });
  });
});
