import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { Devnet } from '@launch/devnet';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import type { MadeLaunch } from '../../../tools/start/src/source-launches/made-launch.js';
import { rpc } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { DevnetMakers } from './fixtures/devnet-makers.fixture.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

type Chain = '1' | '4663';
const FINALITY_DEPTH = 12;
/** Ethereum blocks that are not final. The deeper the reorg, the surer that the index has read one of them. */
const REORG_DEPTH = 8;

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let makers: DevnetMakers;
let native: IndexSource;
let graphs: IndexSource;
let index: OwnIndex;

beforeAll(async () => {
  chains = await indexedDevnet({ policy: { l1FinalityDepth: FINALITY_DEPTH } });
  ({ devnet } = chains);
  const all = developmentSources(devnet, 'c'.repeat(40));
  native = all.find(({ sourceVersion }) => sourceVersion === 'module-native-v2')!;
  graphs = all.find(({ contracts }) => contracts['graphFactoryV2'] !== undefined)!;
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [native, graphs]);
  makers = await DevnetMakers.open(devnet, native);
});
afterAll(async () => {
  await index?.close();
  await chains?.stop();
});

async function act(chain: Chain, action: string, body: unknown = {}): Promise<void> {
  const response = await fetch(`${devnet.faultsUrl}/chains/${chain}/${action}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}
const hashAt = async (chain: Chain, block: string): Promise<string | undefined> =>
  ((await rpc(devnet.rawRpc[chain], 'eth_getBlockByNumber', block, false)) as { hash: string } | null)?.hash;
const follow = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await index.step(native, graphs);
};
/** Advances a source above the current head. */
async function readOn(source: IndexSource): Promise<void> {
  const head = BigInt((await rpc(devnet.rawRpc[`${source.chainId}`], 'eth_blockNumber')) as string);
  const releaseDigest = sourceReleaseDigest(source);
  await follow(async () => {
    const { provisionalNumber } = await index.database.source.findUniqueOrThrow({ where: { releaseDigest } });
    return (provisionalNumber ?? 0n) > head;
  });
}
/** Checks whether a block that a source had read was replaced since. */
async function isReplaced(chain: Chain, read: readonly { number: bigint; hash: string }[]): Promise<boolean> {
  for (const { number, hash } of read) if ((await hashAt(chain, `0x${number.toString(16)}`)) !== hash) return true;
  return false;
}
const openCheckpoints = ({ chainId }: IndexSource) =>
  index.database.checkpoint.findMany({ where: { source: { chainId }, finalized: false } });

const finalRows = () =>
  index.database.launch.findMany({ where: { sequence: { not: null } }, orderBy: { sequence: 'asc' } });
const openRows = () => index.database.launch.findMany({ where: { sequence: null } });
const coinsOf = (made: readonly MadeLaunch[]): readonly string[] =>
  made.flatMap(({ token, quarantined }) => (quarantined === undefined ? [token] : [])).sort();

describe('Final launches of both chains', () => {
  it('keep every row when the chains reorganise above them', async () => {
    const coins = coinsOf((await Promise.all([makers.native(native), makers.graphs(graphs)])).flat());
    await follow(async () => (await finalRows()).length === coins.length);
    const finals = await finalRows();
    expect(finals.map(({ tokenAddress }) => tokenAddress).sort()).toEqual(coins);
    expect([...new Set(finals.map(({ chainId }) => chainId))].sort()).toEqual([1, 4663]);

    // Without batches no more of the launch chain becomes final, so later launches can be dropped.
    await act('1', 'hold-posting');
    const later = coinsOf(await makers.native(native));
    await follow(async () => (await openRows()).length === later.length);
    const [dropped] = await openRows();
    await act('4663', 'reorg', { dropTransaction: dropped!.transactionHash });
    await readOn(native);
    expect((await openRows()).map(({ tokenAddress }) => tokenAddress)).not.toContain(dropped!.tokenAddress);
    expect(await finalRows()).toEqual(finals);

    for (let isOver = false; !isOver;) {
      await readOn(graphs);
      const read = await openCheckpoints(graphs);
      await act('1', 'reorg', { depth: REORG_DEPTH });
      await readOn(graphs);
      isOver = await isReplaced('1', read);
      expect(await finalRows()).toEqual(finals);
    }
  });
});
