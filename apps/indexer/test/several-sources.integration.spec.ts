import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import type { Devnet } from '@launch/devnet';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import { putFaults, rpc } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { DevnetMakers } from './fixtures/devnet-makers.fixture.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

type Chain = '1' | '4663';
const CHAINS: readonly Chain[] = ['4663', '1'];
/** Far more Ethereum blocks than a slow machine needs from a launch to its reorg; tests make blocks final on demand. */
const FINALITY_DEPTH = 2_000;
const PROVIDERS = ['l1-a', 'l1-b', 'l2-a', 'l2-b'];
/** Steps of each source; a healthy index needs fewer. */
const ROUNDS_UNDER_A_FAULT = 6;

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let makers: DevnetMakers;
let native: IndexSource;
let foundation: IndexSource;
let graphs: IndexSource;
/** A binding with a wrong code hash, so that all of its launches are quarantined. */
let mistaken: IndexSource;
let sources: readonly IndexSource[];
/** Two indexers of one database. */
let index: OwnIndex;
let second: OwnIndex;
const serials = { fresh: 0 };

beforeAll(async () => {
  chains = await indexedDevnet({
    l2BlockMs: 100,
    policy: { l1BlockMs: 250, postEveryMs: 500, l1FinalityDepth: FINALITY_DEPTH },
  });
  ({ devnet } = chains);
  const all = developmentSources(devnet, 'c'.repeat(40));
  native = all.find(({ sourceVersion }) => sourceVersion === 'module-native-v2')!;
  foundation = all.find(({ factoryVersion }) => factoryVersion === 'V3')!;
  graphs = all.find(({ contracts }) => contracts['graphFactoryV2'] !== undefined)!;
  mistaken = { ...native, runtimeCodeHash: `0x${'f'.repeat(64)}` };
  sources = [native, foundation, graphs, mistaken];
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), sources);
  second = OwnIndex.beside(devnet, join(chains.dir, 'blobs'), index.url);
  makers = await DevnetMakers.open(devnet, native);
  await act('1', 'hold-posting');
});
afterAll(async () => {
  await second?.close();
  await index?.close();
  await chains?.stop();
});

const heal = () => Promise.all(PROVIDERS.map((id) => putFaults(devnet, id, {})));
async function act<Answer>(chain: Chain, action: string, body: unknown = {}): Promise<Answer> {
  const response = await fetch(`${devnet.faultsUrl}/chains/${chain}/${action}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}
const headOf = async (chain: Chain): Promise<bigint> =>
  BigInt((await rpc(devnet.rawRpc[chain], 'eth_blockNumber')) as string);
const chainOf = ({ chainId }: Pick<IndexSource, 'chainId'>): Chain => `${chainId}`;
/** Returns the block that holds a transaction; null if none does. */
const blockOf = async (chain: Chain, hash: string): Promise<string | null> =>
  ((await rpc(devnet.rawRpc[chain], 'eth_getTransactionReceipt', hash)) as { blockHash: string } | null)?.blockHash ??
  null;

const rounds = async (indexes: readonly OwnIndex[], holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Promise.all(indexes.map((one) => one.step(...sources)));
};
/** Steps until every source is above the current heads, so that no replaced block is as high. */
async function caughtUp(indexes: readonly OwnIndex[]): Promise<void> {
  const heads = { '1': await headOf('1'), '4663': await headOf('4663') };
  const [{ database }] = indexes as readonly [OwnIndex];
  await rounds(indexes, async () =>
    (await database.source.findMany()).every(
      ({ chainId, provisionalNumber }) => (provisionalNumber ?? 0n) > heads[`${chainId as 1 | 4663}`],
    ),
  );
}

type Everything = Awaited<ReturnType<OwnIndex['everything']>>;

/**
 * Checks two indexers of one database: every row is in the chain, and equals row by row, including digests, the rows of
 * a new indexer.
 */
async function settled(): Promise<Everything> {
  const finals = await finalRows();
  await caughtUp([index, second]);
  const rows = await index.everything();
  for (const { chainId, transactionHash, blockHash } of [...rows.launches, ...rows.swaps, ...rows.quarantine])
    expect([transactionHash, await blockOf(`${chainId as 1 | 4663}`, transactionHash)]).toEqual([
      transactionHash,
      blockHash,
    ]);
  const fresh = await OwnIndex.over(devnet, join(chains.dir, `fresh-${(serials.fresh += 1)}`), sources);
  try {
    await caughtUp([fresh]);
    expect(rows).toEqual(await fresh.everything());
  } finally {
    await fresh.close();
  }
  // Final rows stay final.
  expect(await finalRows()).toEqual(expect.arrayContaining(finals));
  return rows;
}
const finalRows = () => index.database.launch.findMany({ where: { sequence: { not: null } } });

const ofSource = <Row extends { releaseDigest: string }>(rows: readonly Row[], source: IndexSource): readonly Row[] =>
  rows.filter(({ releaseDigest }) => releaseDigest === sourceReleaseDigest(source));
interface Event {
  readonly releaseDigest: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: number;
}
const placesOf = (rows: readonly Event[]): readonly string[] =>
  rows.map(({ blockHash, transactionHash, logIndex }) => `${blockHash}/${transactionHash}/${logIndex}`).sort();
const tokens = ({ launches }: Pick<Everything, 'launches'>): readonly string[] =>
  launches.map(({ tokenAddress }) => tokenAddress).sort();

/** Every launched token that must be found. */
let made: readonly string[] = [];
/** Launches through every source, on both chains at once, and waits until each is indexed. */
async function launchEverywhere(): Promise<Everything> {
  // Foundation first: it funds a wallet whose funds later retransmissions need.
  const onLaunchChain = async () => [...(await makers.foundation(foundation)), ...(await makers.native(native))];
  const launches = (await Promise.all([onLaunchChain(), makers.graphs(graphs)])).flat();
  made = launches.flatMap(({ token, quarantined }) => (quarantined === undefined ? [token] : [])).sort();
  await caughtUp([index, second]);
  const rows = await index.everything();
  expect(tokens(rows)).toEqual(made);
  return rows;
}
/** Sends dropped transactions again; resolves when all are in a block. */
async function restore(chain: Chain): Promise<void> {
  const { restored } = await act<{ restored: readonly string[] }>(chain, 'restore');
  for (const hash of restored) while ((await blockOf(chain, hash)) === null) await delay(50);
}
/**
 * Replaces the blocks from a transaction's on, once there are at least this many and a source has read them in this
 * many ranges.
 */
async function drop(source: IndexSource, hash: string, blocks: bigint, ranges: number): Promise<void> {
  const chain = chainOf(source);
  const { blockNumber } = (await rpc(devnet.rawRpc[chain], 'eth_getTransactionReceipt', hash)) as {
    blockNumber: string;
  };
  const first = BigInt(blockNumber);
  const above = { releaseDigest: sourceReleaseDigest(source), number: { gte: first } };
  await rounds(
    [index, second],
    async () =>
      (await headOf(chain)) >= first + blocks - 1n &&
      (await index.database.checkpoint.count({ where: above })) >= ranges,
  );
  await act(chain, 'reorg', { dropTransaction: hash });
}

describe('Two indexers of launches and trades through several sources, while chains reorganise,', () => {
  let before: Everything;

  it('have every launch and trade of both chains, and quarantine what a mistaken binding claims', async () => {
    await launchEverywhere();
    before = await settled();
    for (const source of [native, foundation, graphs]) expect(ofSource(before.swaps, source).length).toBeGreaterThan(0);
    const refused = ofSource(before.quarantine, native);
    expect(refused.flatMap(({ judgements }) => judgements.map(({ reason }) => reason))).toEqual([
      'INSTANCE_COMMITMENT_MISMATCH',
    ]);
    expect(placesOf(ofSource(before.quarantine, mistaken))).toEqual(
      placesOf([...ofSource(before.launches, native), ...refused]),
    );
  });

  it.each([
    ['several checkpoints', 12n, 5],
    ['five blocks and more', 5n, 1],
    ['a block or a little more', 1n, 1],
  ] as const)(
    'have no row of dropped blocks, and every row at its new place once it returns, after a reorg of %s',
    async (_name, blocks, ranges) => {
      const firstOf = (source: IndexSource): string => ofSource(before.launches, source)[0]!.transactionHash;
      for (const source of [foundation, graphs]) await drop(source, firstOf(source), blocks, ranges);
      // The first launch of each chain was dropped, and so was every later one.
      expect(await settled()).toEqual({ launches: [], swaps: [], quarantine: [] });
      for (const chain of CHAINS) await restore(chain);
      const back = await settled();
      expect(tokens(back)).toEqual(made);
      for (const { tokenAddress, blockHash } of back.launches)
        expect(before.launches.find((row) => row.tokenAddress === tokenAddress)?.blockHash).not.toBe(blockHash);
      before = back;
    },
  );
});

describe('An index of several sources that starts under faults of its providers', () => {
  const cases: readonly (readonly [name: string, faults: object, ids: readonly string[]])[] = [
    ...(
      [
        ['is behind', { lag: 5 }],
        ['is stuck', { staleHead: true }],
        ['holds its finalized block', { holdFinalized: true }],
        ['has another chain', { disagree: true }],
        ['returns no logs', { emptyLogs: true }],
        ['forges the status of receipts', { forgeReceipt: { fields: ['status'] } }],
        ['forges the logs of receipts', { forgeReceipt: { fields: ['logs'] } }],
        ['drops its responses', { dropResponses: 'reset' }],
      ] as const
    ).map(([name, faults]) => [`one of two ${name}`, faults, ['l2-b', 'l1-b']] as const),
    ['both lag', { lag: 5 }, PROVIDERS],
    ['both return no logs', { emptyLogs: true }, PROVIDERS],
  ];

  it.each(cases)('has no false launch, trade or quarantine, and loses none if %s', async (_name, faults, ids) => {
    const begun = await OwnIndex.over(devnet, join(chains.dir, `fresh-${(serials.fresh += 1)}`), sources);
    const seen = new Set<string>();
    try {
      const { tokenAddress, hookAddress } = ofSource((await index.everything()).launches, native)[0]!;
      await Promise.all(ids.map((id) => putFaults(devnet, id, faults)));
      await makers.trade({ token: tokenAddress as Hex, hook: hookAddress as Hex });
      for (let round = 0; round < ROUNDS_UNDER_A_FAULT; round += 1) {
        const results = await Promise.all(sources.map((source) => begun.follow(source, 0)));
        for (const { state } of results) expect(['stopped', 'unsupported', 'ended']).not.toContain(state);
        const { launches, swaps, quarantine } = await begun.everything();
        for (const place of placesOf([...launches, ...swaps, ...quarantine])) seen.add(place);
      }
      await heal();
      await caughtUp([index, second]);
      await caughtUp([begun]);
      const rows = await begun.everything();
      expect(rows).toEqual(await index.everything());
      const places = placesOf([...rows.launches, ...rows.swaps, ...rows.quarantine]);
      expect(places).toEqual(expect.arrayContaining([...seen]));
      expect(tokens(rows)).toEqual(made);
    } finally {
      await heal();
      await begun.close();
    }
  });
});

describe('Two indexers of several sources, when launches never return,', () => {
  it('keep no row of the dropped launches and their trades', async () => {
    const before = await settled();
    await Promise.all([makers.native(native), makers.graphs(graphs)]);
    await caughtUp([index, second]);
    const more = await index.everything();
    expect(more.launches.length).toBeGreaterThan(before.launches.length);
    const there = new Set(placesOf(before.launches));
    for (const source of [native, graphs]) {
      const [first] = ofSource(more.launches, source).filter((row) => !there.has(placesOf([row])[0]!));
      await drop(source, first!.transactionHash, 1n, 1);
    }
    expect(await settled()).toEqual(before);
  });
});
