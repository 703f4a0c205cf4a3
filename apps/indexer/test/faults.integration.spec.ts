import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { Devnet } from '@launch/devnet';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import { prepareLaunch, putFaults, rpc } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let router: IndexSource;
/** A contract of chain 1 without launches: its checkpoints follow that chain. */
let onEthereum: IndexSource;
let index: OwnIndex;
beforeAll(async () => {
  chains = await indexedDevnet();
  ({ devnet } = chains);
  router = developmentSources(devnet, 'c'.repeat(40))[0] as IndexSource;
  const { address, runtimeCodeHash } = devnet.contracts.bridge;
  onEthereum = {
    ...router,
    sourceVersion: 'ethereum-custom-v1',
    chainId: 1,
    startBlock: '1',
    address: address.toLowerCase() as IndexSource['address'],
    runtimeCodeHash,
  };
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router, onEthereum]);
});
afterAll(async () => {
  await index?.close();
  await chains?.stop();
});

const PROVIDERS = ['l1-a', 'l1-b', 'l2-a', 'l2-b'];
const heal = () => Promise.all(PROVIDERS.map((id) => putFaults(devnet, id, {})));
afterEach(heal);

/** Transactions of all launches, in the order of their nonces. */
const made: string[] = [];
const prepared = () => prepareLaunch(devnet, BigInt(made.length + 1));
const send = async (launch: Awaited<ReturnType<typeof prepared>>): Promise<void> =>
  void made.push(await launch.send(devnet.rawRpc['4663']));
const act = async (chain: '1' | '4663', action: string, body: unknown = {}): Promise<any> => {
  const response = await fetch(`${devnet.faultsUrl}/chains/${chain}/${action}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
/**
 * Drops the batch that holds a block, and later batches; none is posted until posting resumes. A batch is final after
 * four seconds, which a busy machine may exceed: then it stays.
 * @returns whether the block is in no batch any more.
 */
const fallsOut = async (block: bigint): Promise<boolean> => {
  for (;;) {
    const { lastPostedL2Block } = await act('1', 'hold-posting');
    if (lastPostedL2Block === null || BigInt(lastPostedL2Block) < block) return true;
    try {
      await act('1', 'reorg', { dropLastBatch: true });
    } catch (error) {
      if (/REORG_TOO_DEEP/.test(String(error))) return false;
      throw error;
    }
  }
};
const found = async (): Promise<string[]> => {
  const rows = await index.database.launch.findMany({ orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }] });
  expect(await index.database.quarantine.count()).toBe(0);
  return rows.map(({ transactionHash }) => transactionHash);
};
const isMined = async (hash: string): Promise<boolean> =>
  (await rpc(devnet.rawRpc['4663'], 'eth_getTransactionReceipt', hash)) !== null;
const headOf = async (chain: '1' | '4663'): Promise<bigint> =>
  BigInt((await rpc(devnet.rawRpc[chain], 'eth_blockNumber')) as string);

/** The launch is mined among these blocks and must be found. */
const BLOCKS_UNDER_A_FAULT = 4n;
const everyRowAndNoOther = async (): Promise<void> => {
  await index.until(router, async () => (await found()).length === made.length);
  expect([...(await found())].sort()).toEqual([...made].sort());
};

describe('An index under faults of its providers', () => {
  const ONE: readonly [name: string, faults: object][] = [
    ['is behind', { lag: 5 }],
    ['is stuck', { staleHead: true }],
    ['holds its finalized block', { holdFinalized: true }],
    ['has another chain', { disagree: true }],
    ['returns no logs', { emptyLogs: true }],
    ['forges the status of receipts', { forgeReceipt: { fields: ['status'] } }],
    ['forges the logs of receipts', { forgeReceipt: { fields: ['logs'] } }],
    ['forges the blocks of receipts', { forgeReceipt: { fields: ['blockHash'] } }],
    ['drops its responses', { dropResponses: 'reset' }],
    ['fails in every answer', { errors: true }],
    ['reverses the answers of a batch', { reorderBatchResponses: true }],
  ];
  const BOTH: typeof ONE = [
    ['are behind', { lag: 5 }],
    ['are stuck', { staleHead: true }],
    ['hold their finalized block', { holdFinalized: true }],
    ['drop their answers', { dropResponses: 'reset' }],
    ['return no logs', { emptyLogs: true }],
    ['fail in every answer', { errors: true }],
  ];
  const cases = [
    ...ONE.map(([name, faults]) => [`one of two ${name}`, faults, ['l2-b', 'l1-b']] as const),
    ...BOTH.map(([name, faults]) => [`both ${name}`, faults, PROVIDERS] as const),
  ];

  it.each(cases)('has no false row and loses none if %s', async (_name, faults, ids) => {
    const launch = await prepared();
    await Promise.all(ids.map((id) => putFaults(devnet, id, faults)));
    await send(launch);
    const from = await headOf('4663');
    while ((await headOf('4663')) < from + BLOCKS_UNDER_A_FAULT) {
      const [progress] = await index.step(router, onEthereum);
      expect(['stopped', 'unsupported', 'ended']).not.toContain(progress!.state);
      expect(made).toEqual(expect.arrayContaining(await found()));
    }
    await heal();
    await everyRowAndNoOther();
  });
});

describe('An index over chains that reorganise', () => {
  it.each([
    ['one block', 1],
    ['five blocks', 5],
    ['several checkpoints', 12],
  ])('of 4663 matches the chain after a reorg of %s', async (_name, depth) => {
    await act('1', 'hold-posting');
    const launch = await prepared();
    // Enough checkpoints, each of a block or two, none of them final yet.
    const from = await headOf('4663');
    await index.until(router, async () => (await headOf('4663')) > from + 12n);
    await send(launch);
    await everyRowAndNoOther();
    await act('4663', 'reorg', { depth });
    await index.until(router, async () => {
      const rows = await found();
      const mined = await Promise.all(made.map(isMined));
      return rows.length === mined.filter(Boolean).length;
    });
    await act('4663', 'restore');
    await everyRowAndNoOther();
    await act('1', 'resume-posting');
  });

  it.each([
    ['one block', { depth: 1 }],
    ['three blocks', { depth: 3 }],
  ])('of 1 continues from the highest remaining block after a reorg of %s', async (_name, request) => {
    const positionOf = async () =>
      (await index.database.source.findFirstOrThrow({ where: { chainId: 1 } })).provisionalNumber ?? 0n;
    const before = await headOf('1');
    await index.until(onEthereum, async () => (await positionOf()) >= before);
    await act('1', 'reorg', request);
    const after = await headOf('1');
    await index.until(onEthereum, async () => (await positionOf()) > after);
    const kept = await index.database.checkpoint.findMany({ where: { source: { chainId: 1 } } });
    for (const { number, hash } of kept) {
      const block = (await rpc(devnet.rawRpc['1'], 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as {
        hash: string;
      };
      expect([number, block.hash]).toEqual([number, hash]);
    }
  });

  it('of 1 marks a launch whose batch fell out as unposted, and admits it once it is posted again', async () => {
    const rowOf = () => index.database.launch.findFirstOrThrow({ where: { transactionHash: made.at(-1) } });
    const isAt = async (stage: string): Promise<boolean> => (await rowOf()).finalityStage === stage;
    for (let isOut = false; !isOut;) {
      await act('1', 'hold-posting');
      const launch = await prepared();
      await send(launch);
      await everyRowAndNoOther();
      await act('1', 'resume-posting');
      await index.until(router, async () => (await isAt('ethereum_posted')) || (await isAt('ethereum_finalized')));
      isOut = (await isAt('ethereum_posted')) && (await fallsOut((await rowOf()).blockNumber));
    }
    await index.until(router, () => isAt('sequencer_soft_confirmed'));
    const from = await headOf('1');
    while ((await headOf('1')) < from + BLOCKS_UNDER_A_FAULT) {
      await index.step(router);
      expect(await rowOf()).toMatchObject({ finalityStage: 'sequencer_soft_confirmed', sequence: null });
      expect((await found()).length).toBe(made.length);
    }
    await act('1', 'resume-posting');
    await index.until(router, ({ launches }) => launches === made.length);
    expect(await isAt('ethereum_finalized')).toBe(true);
  });

  it('finally equals a new index row by row, and numbers every launch', async () => {
    await index.until(router, ({ launches }) => launches === made.length);
    const fresh = await OwnIndex.over(devnet, join(chains.dir, 'fresh-blobs'), [router]);
    try {
      await fresh.until(router, ({ launches }) => launches === made.length);
      expect(await index.content()).toEqual(await fresh.content());
    } finally {
      await fresh.close();
    }
    const rows = await index.database.launch.findMany({ orderBy: { sequence: 'asc' } });
    expect(rows.map(({ sequence }) => sequence)).toEqual(made.map((_, place) => BigInt(place + 1)));
  });
});
