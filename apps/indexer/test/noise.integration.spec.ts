import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import type { Stack } from '@launch/start';
import type { Devnet } from '@launch/devnet';
import { parseEther, type Hex } from 'viem';
import { developmentSources } from '../../../tools/start/src/development-sources.js';
import {
  newWallets,
  walletOnEthereum,
  type SourceWallet,
} from '../../../tools/start/src/source-launches/source-wallet.js';
import { prepareLaunch } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let router: IndexSource;
let graphs: IndexSource;
let index: OwnIndex;
let strangers: readonly SourceWallet[];
beforeAll(async () => {
  chains = await indexedDevnet();
  ({ devnet } = chains);
  const sources = developmentSources(devnet, 'c'.repeat(40));
  router = sources[0] as IndexSource;
  graphs = sources.find(({ contracts }) => contracts['graphFactoryV2'] !== undefined)!;
  index = await OwnIndex.over(devnet, join(chains.dir, 'blobs'), [router, graphs]);
  const stack = {
    rpc: { '4663': [devnet.rawRpc['4663']], '1': [devnet.rawRpc['1']] },
    faults: devnet.faultsUrl,
    controller: devnet.controller,
  } as unknown as Stack;
  strangers = [...(await newWallets(stack, 1)), await walletOnEthereum(stack, parseEther('10'))];
});
afterAll(async () => {
  await index?.close();
  await chains?.stop();
});

/**
 * Creation code that logs this many times and leaves no contract: PUSH2 count, then a loop of JUMPDEST, LOG0 of
 * nothing, and the count less one until it is 0.
 */
const noise = (logs: number): Hex => `0x61${logs.toString(16).padStart(4, '0')}5b60006000a06001900380600357600080f3`;
const checkpointOf = async (source: IndexSource): Promise<bigint> =>
  (await index.database.source.findFirstOrThrow({ where: { address: source.address } })).checkpointNumber ?? 0n;

describe('An index among foreign logs', () => {
  it.each([1_100, 10_000])(
    'finds a launch among transactions of %i logs on both chains, without a hold',
    async (logs) => {
      const nonce = BigInt((await index.database.launch.count()) + 1);
      const launch = await prepareLaunch(devnet, nonce);
      const before = await Promise.all(strangers.map((stranger) => stranger.send({ data: noise(logs) })));
      const transactionHash = await launch.send(devnet.rawRpc['4663']);
      const receipts = [
        ...before,
        ...(await Promise.all(strangers.map((stranger) => stranger.send({ data: noise(logs) })))),
      ];
      expect(receipts.map((receipt) => receipt.logs.length)).toEqual(receipts.map(() => logs));
      const [, onEthereum] = before;
      await index.until(
        router,
        async () => (await index.database.launch.count({ where: { transactionHash, sequence: { not: null } } })) === 1,
      );
      await index.until(graphs, async () => (await checkpointOf(graphs)) > onEthereum!.blockNumber);
      expect(await index.database.hold.count()).toBe(0);
      expect(await index.database.quarantine.count()).toBe(0);
    },
  );
});
