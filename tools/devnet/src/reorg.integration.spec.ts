import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, toHex } from 'viem';
import { admin, ask, call, sendLogging, truth, until, untilState } from '../test/devnet.harness.js';
import { nodeInterfaceAbi, startDevnet } from './index.js';
import type { Devnet } from './index.js';

jest.setTimeout(180_000);

describe('A reorg', () => {
  let dir: string;
  let devnet: Devnet;
  let l1: string;
  let l2: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'launch-devnet-'));
    devnet = await startDevnet({
      dir,
      keepState: false,
      idleBlockMs: 0,
      policy: { l1BlockMs: 250, postEveryMs: 500, l1FinalityDepth: 24 },
    });
    l1 = devnet.rpc['1'][0]?.url ?? '';
    l2 = devnet.rpc['4663'][0]?.url ?? '';
  });

  afterEach(async () => {
    await devnet.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const knowsBatchOf = async (block: number) => {
    const data = encodeFunctionData({
      abi: nodeInterfaceAbi,
      functionName: 'findBatchContainingBlock',
      args: [BigInt(block)],
    });
    return (
      (await ask(l2, 'eth_call', { to: devnet.contracts.nodeInterface.address, data }, 'latest')).error === undefined
    );
  };
  const post = (path: string, body: unknown = {}) => admin(devnet, 'POST', path, body);
  const clock = async (url: string) => Number((await call(url, 'eth_getBlockByNumber', 'latest', false)).timestamp);

  it('of L1 removes the last batch, which is posted again and becomes final once posting resumes', async () => {
    const hash = await sendLogging(devnet, l2);
    await untilState(devnet, hash, 'posted');
    expect((await post('/chains/1/hold-posting')).body).toMatchObject({ held: true });
    const { batch, inclusion } = await truth(devnet, hash);
    if (batch === null || inclusion === null) throw new Error('not posted');
    const head = Number(await call(l1, 'eth_blockNumber'));

    const { status, body } = await post('/chains/1/reorg', { depth: head - batch.l1BlockNumber + 2 });
    expect([status, body.droppedBatches.includes(batch.batchNumber)]).toEqual([200, true]);
    expect((await truth(devnet, hash)).state).toBe('included');
    expect(await knowsBatchOf(inclusion.blockNumber)).toBe(false);
    expect(await call(l1, 'eth_getTransactionReceipt', batch.transactionHash)).toBeNull();
    expect((await call(l1, 'eth_getBlockByNumber', toHex(batch.l1BlockNumber), false)).hash).not.toBe(
      batch.l1BlockHash,
    );

    await post('/chains/1/resume-posting');
    const again = await untilState(devnet, hash, 'posted', 'finalized');
    expect(again.batch?.transactionHash).not.toBe(batch.transactionHash);
    expect(again.inclusion).toEqual(inclusion);
    await untilState(devnet, hash, 'finalized');
    expect(await clock(l1)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('by dropLastBatch needs no depth', async () => {
    const hash = await sendLogging(devnet, l2);
    await untilState(devnet, hash, 'posted');
    await post('/chains/1/hold-posting');
    const before = (await admin(devnet, 'GET', '/batches')).body.batches;
    expect((await post('/chains/1/reorg', { dropLastBatch: true })).body.droppedBatches).toEqual([before.length - 1]);
    expect((await admin(devnet, 'GET', '/batches')).body).toEqual({ held: true, batches: before.slice(0, -1) });
  });

  it('of L2 drops an included transaction, and restoring includes it in another block', async () => {
    await post('/chains/1/hold-posting');
    const hash = await sendLogging(devnet, l2);
    const { inclusion } = await untilState(devnet, hash, 'included');
    if (inclusion === null) throw new Error('not included');

    const { body } = await post('/chains/4663/reorg', { dropTransaction: hash });
    expect(body).toMatchObject({ fromBlock: inclusion.blockNumber, droppedTransactions: [hash], droppedBatches: [] });
    expect((await truth(devnet, hash)).state).toBe('unknown');
    for (const { url } of devnet.rpc['4663']) expect(await call(url, 'eth_getTransactionReceipt', hash)).toBeNull();
    const replaced = await call(l2, 'eth_getBlockByNumber', toHex(inclusion.blockNumber), false);
    expect(replaced.hash).not.toBe(inclusion.blockHash);

    expect((await post('/chains/4663/restore')).body.restored).toEqual([hash]);
    const again = await untilState(devnet, hash, 'included');
    expect(again.inclusion?.blockHash).not.toBe(inclusion.blockHash);
    await post('/chains/1/resume-posting');
    await untilState(devnet, hash, 'finalized');
    expect(await clock(l2)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('of posted L2 blocks removes their batches from L1 first', async () => {
    const hash = await sendLogging(devnet, l2);
    const { batch } = await untilState(devnet, hash, 'posted');
    if (batch === null) throw new Error('not posted');
    const { status, body } = await post('/chains/4663/reorg', { dropTransaction: hash });
    expect([status, body.droppedTransactions, body.droppedBatches[0]]).toEqual([200, [hash], batch.batchNumber]);
    expect(await call(l1, 'eth_getTransactionReceipt', batch.transactionHash)).toBeNull();
    const { batches } = (await admin(devnet, 'GET', '/batches')).body;
    for (const [index, each] of batches.entries()) expect(each.batchNumber).toBe(index);
    await until('posting to go on past the reorg', async () => {
      const last = (await admin(devnet, 'GET', '/batches')).body.batches.at(-1);
      return last.lastL2Block > batch.lastL2Block ? last : null;
    });
    const next = await sendLogging(devnet, l2);
    await untilState(devnet, next, 'finalized');
  });

  it('gives an empty block that replaces an empty block another hash', async () => {
    await until('a second batch', async () =>
      (await admin(devnet, 'GET', '/batches')).body.batches.length > 1 ? true : null,
    );
    await post('/chains/1/hold-posting');
    const posted = (await admin(devnet, 'GET', '/batches')).body.batches.at(-1).lastL2Block;
    await until('a block that is not posted', async () =>
      Number(await call(l2, 'eth_blockNumber')) > posted ? true : null,
    );
    const number = toHex(posted + 1);
    const before = await call(l2, 'eth_getBlockByNumber', number, false);
    const head = Number(await call(l2, 'eth_blockNumber'));
    expect((await post('/chains/4663/reorg', { depth: head - posted })).status).toBe(200);
    expect(await call(l2, 'eth_getBlockByNumber', toHex(head), false)).toMatchObject({
      number: toHex(head),
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const after = await call(l2, 'eth_getBlockByNumber', number, false);
    expect(after === null || after.hash === before.hash).toBe(false);
  });

  it('does not replace final blocks, and refuses imprecise requests', async () => {
    const hash = await sendLogging(devnet, l2);
    await untilState(devnet, hash, 'finalized');
    expect((await post('/chains/4663/reorg', { dropTransaction: hash })).body.error.code).toBe('REORG_TOO_DEEP');
    expect((await post('/chains/1/reorg', { depth: 30 })).status).toBe(409);
    expect((await post('/chains/1/reorg', {})).status).toBe(400);
    expect((await post('/chains/4663/reorg', { dropTransaction: `0x${'0'.repeat(64)}` })).status).toBe(404);
    expect((await truth(devnet, hash)).state).toBe('finalized');
  });
});
