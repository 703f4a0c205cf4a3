import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from 'viem';
import { admin, ask, call, post, putFaults, sendLogging, until, untilState } from '../test/devnet.harness.js';
import { startDevnet } from './index.js';
import type { Devnet } from './index.js';

jest.setTimeout(180_000);

describe('The fault injection of a provider', () => {
  let dir: string;
  let devnet: Devnet;
  /** One provider lies; the other stays honest. */
  let liar: string;
  let honest: string;
  let hash: string;
  let blockNumber: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'launch-devnet-'));
    devnet = await startDevnet({ dir, finalitySeconds: 2, keepState: false, idleBlockMs: 0 });
    liar = devnet.rpc['4663'][0]?.url ?? '';
    honest = devnet.rpc['4663'][1]?.url ?? '';
    hash = await sendLogging(devnet, honest);
    await untilState(devnet, hash, 'finalized');
    blockNumber = (await call(honest, 'eth_getTransactionReceipt', hash)).blockNumber;
  });

  afterEach(async () => {
    expect((await admin(devnet, 'DELETE', '/faults')).status).toBe(200);
  });

  afterAll(async () => {
    await devnet.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const logsOfBlock = (url: string) => call(url, 'eth_getLogs', { fromBlock: blockNumber, toBlock: blockNumber });

  it('distinguishes both providers only by their faults', async () => {
    for (const [method, ...params] of [
      ['eth_getTransactionReceipt', hash],
      ['eth_getBlockByNumber', blockNumber, true],
      ['eth_getLogs', { fromBlock: blockNumber, toBlock: blockNumber }],
    ] as [string, ...unknown[]][]) {
      expect(await call(liar, method, ...params)).toEqual(await call(honest, method, ...params));
    }
    const { body } = await admin(devnet, 'GET', '/faults');
    expect(body['4663'].map((each: { id: string }) => each.id)).toEqual(['l2-a', 'l2-b']);
    expect(body['1'].map((each: { id: string }) => each.id)).toEqual(['l1-a', 'l1-b']);
  });

  it('counts the calls of each provider by method, and each call of a batch', async () => {
    const askedOf = async (id: string, method: string): Promise<number> => {
      const { body } = await admin(devnet, 'GET', '/requests');
      return body['4663'].find((each: { id: string }) => each.id === id).asked[method] ?? 0;
    };
    const before = await askedOf('l2-b', 'eth_chainId');
    const other = await askedOf('l2-a', 'eth_chainId');
    await call(honest, 'eth_chainId');
    await fetch(honest, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))),
    });
    expect([await askedOf('l2-b', 'eth_chainId'), await askedOf('l2-a', 'eth_chainId')]).toEqual([before + 3, other]);
  });

  it('hides with lag the newest blocks, their contents, and the finality of hidden blocks', async () => {
    const lag = 1000;
    await putFaults(devnet, 'l2-a', { lag });
    expect(Number(await call(liar, 'eth_blockNumber'))).toBe(devnet.genesisL2Block);
    expect(await call(liar, 'eth_getBlockByNumber', blockNumber, false)).toBeNull();
    const { blockHash } = await call(honest, 'eth_getTransactionReceipt', hash);
    expect(await call(liar, 'eth_getBlockByHash', blockHash, false)).toBeNull();
    expect(await call(liar, 'eth_getTransactionReceipt', hash)).toBeNull();
    expect(await call(liar, 'eth_getTransactionByHash', hash)).toBeNull();
    expect(await logsOfBlock(liar)).toEqual([]);
    expect(Number((await call(liar, 'eth_getBlockByNumber', 'finalized', false)).number)).toBe(devnet.genesisL2Block);
    expect((await ask(liar, 'eth_getBalance', devnet.owner.address, blockNumber)).error?.message).toBe(
      'header not found',
    );
    expect(await call(liar, 'eth_getCode', devnet.contracts.router.address, 'latest')).toBe('0x');
    expect(await call(liar, 'eth_getCode', devnet.contracts.router.address)).toBe('0x');
    expect(await call(honest, 'eth_getTransactionReceipt', hash)).not.toBeNull();
  });

  it('freezes the head with staleHead until the fault ends', async () => {
    await putFaults(devnet, 'l2-a', { staleHead: true });
    const frozen = await call(liar, 'eth_blockNumber');
    await until('the chain to go on', async () =>
      Number(await call(honest, 'eth_blockNumber')) > Number(frozen) + 2 ? true : null,
    );
    expect(await call(liar, 'eth_blockNumber')).toBe(frozen);
    expect((await call(liar, 'eth_getBlockByNumber', 'latest', false)).number).toBe(frozen);
    await putFaults(devnet, 'l2-a', {});
    expect(Number(await call(liar, 'eth_blockNumber'))).toBeGreaterThan(Number(frozen));
  });

  it.each([
    ['l2-a', '4663'],
    ['l1-a', '1'],
  ] as const)('freezes with holdFinalized the finality of %s while its head advances', async (id, chain) => {
    const [held, other] = devnet.rpc[chain].map((each) => each.url) as [string, string];
    const finalized = async (url: string) =>
      Number((await call(url, 'eth_getBlockByNumber', 'finalized', false)).number);
    await putFaults(devnet, id, { holdFinalized: true });
    const frozen = await finalized(held);
    await until('the other to see more final', async () => ((await finalized(other)) > frozen + 1 ? true : null));
    expect(await finalized(held)).toBe(frozen);
    expect(Number(await call(held, 'eth_blockNumber'))).toBeGreaterThan(frozen + 1);
  });

  it('shows with disagree other block hashes, the same in every answer, and recognises them again', async () => {
    await putFaults(devnet, 'l2-a', { disagree: true });
    const block = await call(liar, 'eth_getBlockByNumber', blockNumber, true);
    const truth = await call(honest, 'eth_getBlockByNumber', blockNumber, true);
    expect(block.hash).not.toBe(truth.hash);
    expect(block.parentHash).not.toBe(truth.parentHash);
    expect(block.transactions[0].hash).toBe(hash);
    expect(block.transactions[0].blockHash).toBe(block.hash);
    const receipt = await call(liar, 'eth_getTransactionReceipt', hash);
    expect([receipt.blockHash, receipt.logs[0].blockHash, (await logsOfBlock(liar))[0].blockHash]).toEqual(
      Array(3).fill(block.hash),
    );
    expect((await call(liar, 'eth_getBlockByHash', block.hash, false)).number).toBe(blockNumber);
    expect(await call(liar, 'eth_getBlockByHash', truth.hash, false)).toBeNull();
    const code = await call(liar, 'eth_getCode', devnet.contracts.router.address, { blockHash: block.hash });
    expect(code).toBe(await call(honest, 'eth_getCode', devnet.contracts.router.address, 'latest'));
    const parent = await call(liar, 'eth_getBlockByNumber', toHex(Number(blockNumber) - 1), false);
    expect(parent.hash).toBe(block.parentHash);
  });

  it('finds no logs with emptyLogs, although the receipt still has them', async () => {
    await putFaults(devnet, 'l2-a', { emptyLogs: true });
    expect(await logsOfBlock(liar)).toEqual([]);
    expect((await call(liar, 'eth_getTransactionReceipt', hash)).logs).toHaveLength(1);
    expect(await logsOfBlock(honest)).toHaveLength(1);
  });

  it('turns with forgeReceipt a success into a revert in every answer', async () => {
    await putFaults(devnet, 'l2-a', { forgeReceipt: { transactionHash: hash } });
    const receipt = await call(liar, 'eth_getTransactionReceipt', hash);
    expect(receipt).toMatchObject({ status: '0x0', logs: [], logsBloom: `0x${'0'.repeat(512)}` });
    expect(await logsOfBlock(liar)).toEqual([]);
    expect((await call(liar, 'eth_getBlockReceipts', blockNumber))[0]).toEqual(receipt);
    expect((await call(honest, 'eth_getTransactionReceipt', hash)).status).toBe('0x1');
  });

  it('changes with forgeReceipt logs and block hash alike in every method, for that transaction only', async () => {
    await putFaults(devnet, 'l2-a', { forgeReceipt: { transactionHash: hash, fields: ['logs', 'blockHash'] } });
    const receipt = await call(liar, 'eth_getTransactionReceipt', hash);
    const truth = await call(honest, 'eth_getTransactionReceipt', hash);
    expect(receipt.logs[0].data).not.toBe(truth.logs[0].data);
    expect(receipt.logs).toEqual(await logsOfBlock(liar));
    expect(receipt.blockHash).not.toBe(truth.blockHash);
    expect(receipt.logs[0].blockHash).toBe(receipt.blockHash);
    expect((await call(liar, 'eth_getTransactionByHash', hash)).blockHash).toBe(receipt.blockHash);
    await putFaults(devnet, 'l2-a', {
      forgeReceipt: { transactionHash: `0x${'1'.repeat(64)}`, fields: ['logs', 'blockHash', 'status'] },
    });
    expect(await call(liar, 'eth_getTransactionReceipt', hash)).toEqual(truth);
    expect(await logsOfBlock(liar)).toEqual(truth.logs);
  });

  it('answers 500 with errors, for the named methods only', async () => {
    await putFaults(devnet, 'l2-a', { errors: true });
    await expect(ask(liar, 'eth_chainId')).rejects.toThrow('HTTP 500');
    await putFaults(devnet, 'l2-a', { errors: true, methods: ['eth_call'] });
    expect(Number(await call(liar, 'eth_chainId'))).toBe(4663);
    await expect(ask(liar, 'eth_call', {}, 'latest')).rejects.toThrow('HTTP 500');
  });

  it('resets the connection with dropResponses, or never answers', async () => {
    await putFaults(devnet, 'l2-a', { dropResponses: 'reset' });
    await expect(ask(liar, 'eth_chainId')).rejects.toThrow('fetch failed');
    await putFaults(devnet, 'l2-a', { dropResponses: 'timeout' });
    const abort = new AbortController();
    const unanswered = post(liar, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }, abort.signal);
    // The honest provider answers many times while the other one stays silent.
    const answered = (async () => {
      for (let round = 0; round < 20; round++) await call(honest, 'eth_getBlockByNumber', 'finalized', false);
      return 'honest';
    })();
    expect(await Promise.race([unanswered, answered])).toBe('honest');
    abort.abort();
    await expect(unanswered).rejects.toThrow();
  });

  it('reverses a batch with reorderBatchResponses, and keeps ids with their answers', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'one', method: 'eth_chainId', params: [] },
      { jsonrpc: '2.0', id: 'two', method: 'eth_getTransactionReceipt', params: [hash] },
    ];
    const read = async () => (await (await post(liar, batch)).json()) as { id: string; result: any }[];
    const straight = await read();
    expect(straight.map((each) => each.id)).toEqual(['one', 'two']);
    await putFaults(devnet, 'l2-a', { reorderBatchResponses: true });
    expect(await read()).toEqual([...straight].reverse());
  });

  it('removes eth_simulateV1 with noSimulate', async () => {
    await putFaults(devnet, 'l2-a', { noSimulate: true });
    expect((await ask(liar, 'eth_simulateV1', { blockStateCalls: [] }, 'latest')).error?.code).toBe(-32601);
    expect((await ask(honest, 'eth_simulateV1', { blockStateCalls: [{ calls: [] }] }, 'latest')).error).toBeUndefined();
  });

  it('refuses bodies that are not JSON-RPC and requests that are not POST', async () => {
    for (const body of [{}, [], { jsonrpc: '1.0', id: 1, method: 'eth_chainId' }, 'text']) {
      expect(await (await post(liar, body)).json()).toMatchObject({ error: { code: -32600 } });
    }
    expect((await fetch(liar)).status).toBe(405);
  });
});
