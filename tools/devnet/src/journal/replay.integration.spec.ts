import { expect, it, jest } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex } from 'viem';
import { withTemporaryDir } from '../../test/devnet.harness.js';
import { startAnvil } from '../anvil/anvil.process.js';
import { createJsonRpcClient } from '../anvil/json-rpc.client.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { replay } from './replay.js';
import type { BlockRecord } from './journal.records.js';

jest.setTimeout(180_000);

const TIME = 1_700_000_000;

async function withChain<T>(dir: string, use: (rpc: JsonRpcClient) => Promise<T>): Promise<T> {
  const genesisFile = join(dir, 'genesis.json');
  await mkdir(join(dir, 'cache'), { recursive: true });
  const zero = `0x${'0'.repeat(64)}`;
  await writeFile(
    genesisFile,
    JSON.stringify({
      config: { chainId: 1 },
      nonce: '0x0',
      timestamp: toHex(TIME),
      extraData: '0x',
      gasLimit: '0x1c9c380',
      difficulty: '0x0',
      mixHash: zero,
      coinbase: `0x${'0'.repeat(40)}`,
      alloc: {},
    }),
  );
  const anvil = await startAnvil({
    chainId: 1,
    hardfork: 'cancun',
    gasLimit: 30_000_000n,
    cacheDir: join(dir, 'cache'),
    genesisNumber: 0,
    genesisTimestamp: TIME,
    genesisBaseFee: 1_000_000_000,
    genesisFile,
  });
  const rpc = createJsonRpcClient(anvil.url);
  try {
    return await use(rpc);
  } finally {
    rpc.close();
    await anvil.stop();
  }
}

/** Mines empty blocks at these times, and returns their journal records. */
async function mineAt(rpc: JsonRpcClient, times: readonly number[]): Promise<BlockRecord[]> {
  const records: BlockRecord[] = [];
  for (const [index, timestamp] of times.entries()) {
    await rpc.call('evm_setTime', timestamp);
    await rpc.call('evm_mine', { timestamp });
    const { hash } = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as { hash: `0x${string}` };
    records.push({ kind: 'block', chain: '1', number: index + 1, hash, timestamp });
  }
  return records;
}

it('The replay reproduces blocks of regular, equal, distant and decreasing times.', () =>
  withTemporaryDir(async (dir) => {
    const times = [10, 20, 30, 40, 40, 40, 41, 41, 9_000, 9_010, 500, 510, 510, 520].map((seconds) => TIME + seconds);
    const records = await withChain(dir, (rpc) => mineAt(rpc, times));
    let looks = 0;
    const again = await withChain(dir, async (rpc) => {
      await replay(rpc, '1', records, async () => void (looks += 1));
      const hashes = await Promise.all(
        records.map(({ number }) => rpc.call('eth_getBlockByNumber', toHex(number), false)),
      );
      await rpc.call('evm_mine');
      const { timestamp } = (await rpc.call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
      return {
        hashes: hashes.map((block) => (block as { hash: string }).hash),
        behindSeconds: Date.now() / 1000 - Number(timestamp),
      };
    });
    expect(again.hashes).toEqual(records.map(({ hash }) => hash));
    expect(looks).toBeLessThan(times.length);
    // From here on the chain follows the clock: a day is far more than this test takes.
    expect(again.behindSeconds).toBeLessThan(86_400);
  }));

it('The replay stops at the first block that differs.', () =>
  withTemporaryDir(async (dir) => {
    const records = await withChain(dir, (rpc) => mineAt(rpc, [TIME + 1, TIME + 7]));
    const wrong = records.map((record) => (record.number === 2 ? { ...record, timestamp: TIME + 8 } : record));
    await withChain(dir, (rpc) =>
      expect(replay(rpc, '1', wrong, async () => undefined)).rejects.toMatchObject({
        code: 'CHAINS_UNREADABLE',
        data: { chainId: '1', block: 2 },
      }),
    );
  }));
