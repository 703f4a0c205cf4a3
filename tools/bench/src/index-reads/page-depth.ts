import { INDEXED_LAUNCHES_PATH } from '@launch/contracts/index';
import type { PairedSamples } from '../measure/sampling.js';

/** Pages at each end that are requested repeatedly, each after its cached entry has expired. */
const PAGES = 20;
const LONGEST = 100;
const SHORTEST = 60;

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

const pageAt = (gateway: string, cursor: string | null, limit: number): Promise<Response> =>
  fetch(`${gateway}${INDEXED_LAUNCHES_PATH}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);

async function bytesOf(asked: Promise<Response>): Promise<Uint8Array> {
  const answer = await asked;
  if (answer.status !== 200) throw new Error(`a page answers ${answer.status}: ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Follows the cursors from the first page to the last. @returns where each page begins, and how many launches there are. */
async function walk(
  gateway: string,
): Promise<{ readonly cursors: readonly (string | null)[]; readonly launches: number }> {
  const cursors: (string | null)[] = [];
  let launches = 0;
  let cursor: string | null = null;
  do {
    cursors.push(cursor);
    const { items, nextCursor } = JSON.parse(
      Buffer.from(await bytesOf(pageAt(gateway, cursor, LONGEST))).toString(),
    ) as Page;
    launches += items.length;
    cursor = nextCursor;
  } while (cursor !== null);
  return { cursors, launches };
}

/** Milliseconds that pages at the end of the list take, beside as many at its beginning, in turns. */
export async function pageDepth(gateway: string, atLeast: number): Promise<PairedSamples & { readonly pages: number }> {
  const { cursors, launches } = await walk(gateway);
  if (launches < atLeast) throw new Error(`the cursors led to ${launches} launches of ${atLeast}`);
  const first = cursors.slice(0, PAGES);
  // The last page may not be full, so an earlier one is used.
  const last = cursors.slice(-PAGES - 1, -1);
  const samples = { ours: [] as number[], peer: [] as number[] };
  const take = async (side: 'ours' | 'peer', cursor: string | null, limit: number): Promise<void> => {
    const startedAt = performance.now();
    await bytesOf(pageAt(gateway, cursor, limit));
    samples[side].push(performance.now() - startedAt);
  };
  for (let limit = LONGEST - 1; limit >= SHORTEST; limit -= 1) {
    for (let index = 0; index < PAGES; index += 1) {
      const sides = [
        ['ours', last[index]],
        ['peer', first[index]],
      ] as const;
      for (const [side, cursor] of (index + limit) % 2 === 0 ? sides : sides.toReversed())
        await take(side, cursor ?? null, limit);
    }
  }
  return { ...samples, pages: cursors.length };
}
