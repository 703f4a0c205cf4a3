import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getContractAddress, toHex } from 'viem';
import type { Hex } from 'viem';
import { admin, ask, call, sendLogging, truth, until, untilState } from '../test/devnet.harness.js';
import { startChains } from './chain.start.js';
import { stateFilesIn } from './chain.state.js';
import { resolveOptions } from './devnet.options.js';
import { startDevnet } from './index.js';
import type { Devnet, DevnetOptions } from './index.js';
import { JournalFile, readJournal } from './journal/journal.file.js';
import { DEPLOYMENTS } from './rollup/contracts.deploy.js';
import { nonceOf, sendAll } from './rollup/deployment.js';
import type { Deployment } from './rollup/deployment.js';
import { GENESIS_NUMBER } from './rollup/finality.view.js';

jest.setTimeout(180_000);

const ACCOUNT = '0x00000000000000000000000000000000000000ab';

describe('Kept chains', () => {
  let dir: string;
  let running: Devnet | null;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'launch-devnet-'));
    running = null;
  });
  afterEach(async () => {
    await running?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  async function start(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
    await running?.stop();
    running = await startDevnet({ dir, finalitySeconds: 2, ...options });
    return running;
  }

  const head = async (devnet: Devnet): Promise<number> => Number(await call(devnet.rawRpc['4663'], 'eth_blockNumber'));

  /** Returns the head of the rollup once its deployments are final; from then on the chains rest. */
  const rest = (devnet: Devnet): Promise<number> =>
    until('the deployments to be final', async () => {
      const { number } = await call(devnet.rpc['4663'][0]?.url ?? '', 'eth_getBlockByNumber', 'finalized', false);
      return Number(number) > devnet.genesisL2Block ? await head(devnet) : null;
    });

  it('restore every block after a reorg, changes of state outside transactions, and blocks that another caller mined', async () => {
    const first = await start({ idleBlockMs: 0 });
    const raw = first.rawRpc['4663'];
    const dropped = await sendLogging(first, first.rpc['4663'][0]?.url ?? '');
    await untilState(first, dropped, 'included', 'posted');
    const reorg = await admin(first, 'POST', '/chains/4663/reorg', { dropTransaction: dropped });
    expect(reorg.body.droppedTransactions).toEqual([dropped]);
    await call(raw, 'anvil_setBalance', ACCOUNT, '0x7');
    await call(raw, 'anvil_setCode', ACCOUNT, '0x6001');
    await call(raw, 'anvil_mine', '0x5', '0x3');
    const kept = await sendLogging(first, raw);
    await untilState(first, kept, 'finalized');
    const last = await head(first);
    const hashes = async (devnet: Devnet) => {
      const blocks = Array.from({ length: last - devnet.genesisL2Block }, (_, index) =>
        toHex(devnet.genesisL2Block + index + 1),
      );
      return Promise.all(
        blocks.map(
          async (number) => (await call(devnet.rawRpc['4663'], 'eth_getBlockByNumber', number, false)).hash as string,
        ),
      );
    };
    const before = await hashes(first);

    const second = await start();
    expect(second).toMatchObject({ resumed: true, genesis: first.genesis });
    expect(await hashes(second)).toEqual(before);
    expect((await truth(second, dropped)).state).toBe('unknown');
    expect((await truth(second, kept)).state).toBe('finalized');
    expect([
      await call(second.rawRpc['4663'], 'eth_getBalance', ACCOUNT, 'latest'),
      await call(second.rawRpc['4663'], 'eth_getCode', ACCOUNT, 'latest'),
    ]).toEqual(['0x7', '0x6001']);
    // The clock shows the current day again.
    await untilState(
      second,
      await sendLogging(second, second.rpc['4663'][0]?.url ?? ''),
      'included',
      'posted',
      'finalized',
    );
    const { timestamp } = await call(second.rawRpc['4663'], 'eth_getBlockByNumber', 'latest', false);
    expect(Number(timestamp)).toBeGreaterThanOrEqual(
      Number((await call(second.rawRpc['4663'], 'eth_getBlockByNumber', toHex(last), false)).timestamp),
    );
  });

  it('refuse on their raw side every action that the next start could not repeat', async () => {
    const devnet = await start();
    for (const method of [
      'evm_snapshot',
      'evm_increaseTime',
      'anvil_reorg',
      'anvil_reset',
      'anvil_impersonateAccount',
      'hardhat_setBalance',
      'anvil_loadState',
    ]) {
      expect([method, (await ask(devnet.rawRpc['4663'], method, ACCOUNT)).error?.message]).toEqual([
        method,
        expect.stringMatching(/this chain is kept/),
      ]);
    }
    expect((await ask(devnet.rawRpc['4663'], 'anvil_nodeInfo')).error).toBeUndefined();
  });

  it('rest when nothing is pending, and keep the normal pace otherwise', async () => {
    // The interval is so long that no idle block occurs within this test.
    const devnet = await start({ idleBlockMs: 3_600_000 });
    const resting = await rest(devnet);
    const hash = await sendLogging(devnet, devnet.rpc['4663'][0]?.url ?? '');
    const { inclusion } = await untilState(devnet, hash, 'finalized');
    // Nothing came between: the transaction is in the block after the one at which they rested, or a tick later.
    expect((inclusion?.blockNumber ?? 0) - resting).toBeLessThanOrEqual(2);
  });

  it('have a current block as soon as they continue, although they rest', async () => {
    await rest(await start({ idleBlockMs: 3_600_000 }));
    await running?.stop();
    await sleep(2_000);
    const startedAt = Math.floor(Date.now() / 1_000);
    const again = await start({ idleBlockMs: 3_600_000 });
    for (const chain of ['1', '4663'] as const)
      await until('a block of the present', async () => {
        const { timestamp } = await call(again.rpc[chain][0]?.url ?? '', 'eth_getBlockByNumber', 'latest', false);
        return Number(timestamp) >= startedAt ? true : null;
      });
  });

  it('have the state before and after a transaction when the states of empty blocks are long gone', async () => {
    const devnet = await start({ idleBlockMs: 0 });
    const url = devnet.rpc['4663'][0]?.url ?? '';
    const deployed = await head(devnet);
    await until('empty blocks', async () => ((await head(devnet)) > deployed + 4 ? true : null));
    const { inclusion } = await untilState(devnet, await sendLogging(devnet, url), 'finalized');
    const at = inclusion?.blockNumber ?? 0;
    // Anvil then keeps few states in memory.
    await call(devnet.rawRpc['4663'], 'anvil_mine', toHex(1_100));
    const codeAt = (number: number) => ask(url, 'eth_getCode', ACCOUNT, toHex(number));
    const isGone = async (number: number) => /^BlockOutOfRange/.test((await codeAt(number)).error?.message ?? '');
    // One sweep removes them one after the other.
    for (const empty of [at - 2, at + 1])
      await until('an empty block to lose its state', async () => ((await isGone(empty)) ? true : null));
    expect([await codeAt(at - 1), await codeAt(at)]).toMatchObject([{ result: '0x' }, { result: '0x' }]);
  });

  it('receive the contracts of a later release by transaction, once', async () => {
    const options = resolveOptions({ dir, finalitySeconds: 2 });
    const first = await startChains(options);
    const { contracts, genesis, keys } = first;
    const nextNonce = await nonceOf(first.clients['4663'], keys.owner.address);
    await first.stop();
    let deployed = 0;
    const later: Deployment = {
      id: 'later.v1',
      chain: '4663',
      async deploy(rpc, _artifacts, { owner }) {
        deployed += 1;
        const nonce = await nonceOf(rpc, owner.address);
        await sendAll(rpc, 4663, owner, [{ to: null, data: '0x6001600c60003960016000f3fe', gas: 100_000n }]);
        return { later: getContractAddress({ from: owner.address, nonce }).toLowerCase() as Hex };
      },
    };
    for (let round = 0; round < 2; round++) {
      const again = await startChains(options, [...DEPLOYMENTS, later]);
      try {
        expect(again).toMatchObject({ resumed: true, contracts, genesis });
        const address = getContractAddress({ from: again.keys.owner.address, nonce: nextNonce });
        expect([deployed, await again.clients['4663'].call('eth_getCode', address, 'latest')]).toEqual([1, '0xfe']);
      } finally {
        await again.stop();
      }
    }
  });

  it('continue under their original rules of execution when their journal does not name those', async () => {
    const options = resolveOptions({ dir, finalitySeconds: 2 });
    await (await startChains(options)).stop();
    const { journal } = stateFilesIn(dir);
    const began = (await readJournal(journal))?.records[0];
    if (began?.kind !== 'genesis') throw new Error('no beginning');
    const { hardforks, ...unnamed } = began;
    expect(hardforks).toEqual({ '1': 'prague', '4663': 'prague' });
    await (await JournalFile.create(journal, [unnamed])).close();
    const starts: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const { clients, contracts, genesis, resumed, stop } = await startChains(options);
      try {
        const blocks = (['1', '4663'] as const).map((chain) =>
          clients[chain].call('eth_getBlockByNumber', toHex(GENESIS_NUMBER[chain] + 1), false),
        );
        const [l1, l2] = (await Promise.all(blocks)) as { hash: string; requestsHash?: string }[];
        // The field came with `prague`.
        expect([resumed, l1?.requestsHash, l2?.requestsHash]).toEqual([true, expect.any(String), undefined]);
        starts.push({ contracts, genesis, first: [l1?.hash, l2?.hash] });
      } finally {
        await stop();
      }
    }
    expect(starts[1]).toEqual(starts[0]);
  });
});
