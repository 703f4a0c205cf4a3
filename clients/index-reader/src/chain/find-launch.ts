import type { ObserverPair } from '@launch/chain';
import type { FinalBlock } from '@launch/chain/sources';
import type { Hex } from '@launch/contracts/primitives';
import type { ReadSource } from './published-sources.js';
import { isRouter, MAX_WINDOW_BLOCKS, readLaunches } from './read-launches.js';
import type { LaunchVerdict, Unknown } from './verify-launch.js';

export type FoundLaunch =
  | { readonly kind: 'found'; readonly launch: Extract<LaunchVerdict, { kind: 'verified' }> }
  /** Every source was read from its start to the final block, without a gap. */
  | { readonly kind: 'absent' }
  | Unknown;

/**
 * Searches for a coin's launch from the start of each source to a final block, in every window and page, without relying on the
 * service. A router's stamp has precedence over the launch of another source.
 */
export async function findLaunch(
  pair: ObserverPair,
  sources: readonly ReadSource[],
  token: Hex,
  final: FinalBlock,
): Promise<FoundLaunch> {
  if (final.kind === 'indeterminate') return final;
  if (final.kind === 'none') return { kind: 'indeterminate', reason: 'no block is final yet' };
  const unknown = sources.find(({ adapter }) => adapter === null);
  const ordered = [...sources].sort((a, b) => Number(isRouter(b)) - Number(isRouter(a)));
  for (const source of ordered.filter(({ adapter }) => adapter !== null)) {
    const found = await findIn(pair, source, token, final.block.number);
    if (found.kind !== 'absent') return found;
  }
  return unknown === undefined
    ? { kind: 'absent' }
    : { kind: 'indeterminate', reason: `there are no rules here for ${unknown.source.sourceVersion}` };
}

async function findIn(pair: ObserverPair, read: ReadSource, token: Hex, through: bigint): Promise<FoundLaunch> {
  const { startBlock, endBlock } = read.source;
  const end = endBlock === null ? through : lower(BigInt(endBlock), through);
  for (let from = BigInt(startBlock); from <= end; from += MAX_WINDOW_BLOCKS) {
    const window = { from, to: lower(from + MAX_WINDOW_BLOCKS - 1n, end) };
    const cursors = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page = await readLaunches(pair, read, { ...window, cursor });
      if (page.kind === 'indeterminate') return page;
      for (const { verdict } of page.entries)
        if (verdict.kind === 'verified' && verdict.record.tokenAddress === token)
          return { kind: 'found', launch: verdict };
      if (page.nextCursor === null) break;
      if (cursors.has(page.nextCursor)) return { kind: 'indeterminate', reason: 'a cursor came twice' };
      cursors.add(page.nextCursor);
      cursor = page.nextCursor;
    }
  }
  return { kind: 'absent' };
}

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
