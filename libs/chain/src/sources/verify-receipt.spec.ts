import { describe, expect, it } from '@jest/globals';
import { INDEX_SOURCE_SCHEMA, type IndexSource, type SourceRead } from '@launch/contracts';
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
import { verifyReceipt } from './verify-receipt.js';

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
  sourceCommit: null,
  finalityPolicyId: 'chain-ethereum-finalized-v1',
};
const chain: ScriptedChain = {
  first: 10,
  blocks: [[], [{ address: SOURCE.address, topics: [wordOf(1), wordOf(2)] }], []],
};
const HASH = transactionHashOf(11, 0);

const reviewed = (name: string): SourceRead => ({ kind: 'call', name, to: SOURCE.address, data: '0x01' });
const unreviewed: SourceRead = { kind: 'call', name: 'token.name', to: addressOf(0x70), data: '0x02', gas: 5_000_000 };
/** Asks twice: what the first answer says is asked next. It fails by what it was answered, so that a test sees it. */
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
  if (method !== 'eth_getTransactionReceipt') return contracts(method, params);
  const receipt = honest();
  return { ...receipt, logs: asRemoved(receipt.logs) };
};
const verify = (a: Fault = contracts, b: Fault = contracts, hash = HASH) =>
  verifyReceipt(pairOf(chain, a, b), SOURCE, adapter, hash);

async function answersOf(a?: Fault, b?: Fault): Promise<Record<string, unknown>> {
  const judged = await verify(a, b);
  if (judged.kind === 'indeterminate') throw new Error(judged.reason);
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

  it('is judged though unreviewed code fails in the words of each node', async () => {
    const outOfGas = struck('eth_call', onlyOf(unreviewed.to, refused('RPC_REFUSED')));
    expect(await answersOf(outOfGas, outOfGas)).toMatchObject({ 'token.name': { kind: 'reverted' } });
  });

  it('is judged though unreviewed code answers each node otherwise, or more than one of them passes on', async () => {
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

  it('has the answer of unreviewed code that both give when they are asked again', async () => {
    let asked = 0;
    const once = struck('eth_call', (to) => (to === unreviewed.to && (asked += 1) === 1 ? '0xab' : undefined));
    expect(await answersOf(once)).toMatchObject({ 'token.name': { kind: 'returned', data: '0xaa' } });
  });

  it.each<readonly [string, Fault | undefined, Fault | undefined]>([
    [
      'one observer has no answer of unreviewed code',
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
      'one observer has no receipt',
      (method, params) => (method === 'eth_getTransactionReceipt' ? null : contracts(method, params)),
      undefined,
    ],
    [
      'one observer has another block there',
      (method, params) => (method === 'eth_getBlockByNumber' ? null : contracts(method, params)),
      undefined,
    ],
    ['one observer marks its logs as removed', removed, undefined],
    ['both observers mark its logs as removed', removed, removed],
  ])('has no verdict where %s', async (_what, a, b) => {
    expect(await verify(a, b)).toMatchObject({ kind: 'indeterminate' });
  });

  it('has no verdict where both have none, or its block is not the canonical one', async () => {
    expect(await verify(undefined, undefined, wordOf(9))).toEqual({ kind: 'indeterminate', reason: 'receipt: absent' });
    const replaced: Fault = (method, params) => {
      if (method !== 'eth_getBlockByNumber') return contracts(method, params);
      return { number: '0xb', hash: wordOf(5), parentHash: wordOf(4), timestamp: '0x1' };
    };
    expect(await verify(replaced, replaced)).toMatchObject({
      kind: 'indeterminate',
      reason: 'receipt: its block is not the canonical one',
    });
  });
});
