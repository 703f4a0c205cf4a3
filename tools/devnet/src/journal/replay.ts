import { toHex, zeroAddress } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import { DevnetError } from '../devnet.errors.js';
import type { HistoryEntry } from './chain.history.js';
import type { BlockRecord } from './journal.records.js';

/** Most blocks in one call. The chain answers nothing else during a call. */
const MAX_RUN = 500;

const blockSchema = z.object({ hash: z.string(), timestamp: z.string().transform(Number) });

/** Blocks without transactions whose times are one interval apart. */
interface EmptyRun {
  readonly interval: number;
  readonly blocks: readonly BlockRecord[];
}

/**
 * Rebuilds a chain block by block, and compares each hash with the recorded one. A hash covers the header with the state's root
 * and its parent, so the last hash of a run covers the whole run.
 * @throws DevnetError `CHAINS_UNREADABLE` at the first block that comes out differently.
 */
export async function replay(
  rpc: JsonRpcClient,
  chainId: string,
  entries: readonly HistoryEntry[],
  afterBlock: () => Promise<void>,
): Promise<void> {
  let { timestamp } = blockSchema.parse(await rpc.call('eth_getBlockByNumber', 'latest', false));
  let coinbase: string = zeroAddress;
  for (let index = 0; index < entries.length;) {
    const entry = entries[index] as HistoryEntry;
    if (entry.kind === 'command') {
      await rpc.call(entry.method, ...entry.params);
      index += 1;
      continue;
    }
    const miner = entry.coinbase ?? zeroAddress;
    if (miner !== coinbase) await rpc.call('anvil_setCoinbase', (coinbase = miner));
    const run = emptyRunAt(entries, index, timestamp);
    const blocks = run?.blocks ?? [entry];
    if (entry.timestamp < timestamp) await rpc.call('evm_setTime', entry.timestamp);
    if (run === null) await mineOne(rpc, entry);
    else await mineEmpty(rpc, run);
    const last = blocks.at(-1) ?? entry;
    const { hash } = blockSchema.parse(await rpc.call('eth_getBlockByNumber', toHex(last.number), false));
    if (hash !== last.hash) {
      throw new DevnetError('CHAINS_UNREADABLE', 'a block comes out differently from what was recorded', {
        chainId,
        block: last.number,
      });
    }
    ({ timestamp } = last);
    index += blocks.length;
    await afterBlock();
  }
  await rpc.call('anvil_removeBlockTimestampInterval');
  // Mining at given times has moved the chain's clock, which never goes back.
  await rpc.call('evm_setTime', Math.max(timestamp, Math.floor(Date.now() / 1000)));
}

/** Returns null if the block at `index` has transactions, or if its time decreases because this machine's clock was set. */
function emptyRunAt(entries: readonly HistoryEntry[], index: number, before: number): EmptyRun | null {
  const blocks: BlockRecord[] = [];
  let previous = before;
  let interval: number | null = null;
  for (const entry of entries.slice(index, index + MAX_RUN)) {
    if (entry.kind !== 'block' || entry.transactions !== undefined) break;
    if (entry.coinbase !== (blocks[0] ?? entry).coinbase) break;
    const step = entry.timestamp - previous;
    if (step < 0 || (interval !== null && step !== interval)) break;
    interval = step;
    previous = entry.timestamp;
    blocks.push(entry);
  }
  return interval === null ? null : { interval, blocks };
}

async function mineEmpty(rpc: JsonRpcClient, run: EmptyRun): Promise<void> {
  await rpc.call('anvil_setBlockTimestampInterval', run.interval);
  await rpc.call('anvil_mine', toHex(run.blocks.length));
}

async function mineOne(rpc: JsonRpcClient, block: BlockRecord): Promise<void> {
  // One after the other: the pool returns them in the order of arrival.
  for (const raw of block.transactions ?? []) await rpc.call('eth_sendRawTransaction', raw);
  await rpc.call('evm_mine', { timestamp: block.timestamp });
}
