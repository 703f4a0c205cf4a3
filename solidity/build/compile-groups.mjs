/** Compiles groups of sources side by side: the compiler keeps one core busy for a minute, and a machine has several. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

const script = new URL('./solc.worker.mjs', import.meta.url);
/** A compiler takes half a gigabyte, and one group takes as long as half of the others together. */
const MAX_THREADS = 3;

const sizeOf = (sources) => Object.values(sources).reduce((sum, { content }) => sum + content.length, 0);

/**
 * @param {{sources: Record<string, {content: string}>, owned: string[]}[]} groups each compiled alone; its own contracts are those
 *   of the folders and files that it owns
 * @returns {Promise<object[][]>} the artifacts of each group's own contracts, in the order of the groups
 */
export async function compileGroups(groups) {
  const results = new Array(groups.length);
  // The largest first: none of them begins when the others are done.
  const waiting = groups.map((group, at) => ({ ...group, at })).sort((a, b) => sizeOf(b.sources) - sizeOf(a.sources));
  const threads = Array.from({ length: Math.min(MAX_THREADS, availableParallelism(), groups.length) }, async () => {
    const worker = new Worker(script);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        worker.postMessage({ sources: next.sources, owned: next.owned });
        const [{ artifacts, error }] = await once(worker, 'message');
        if (error !== undefined) throw error;
        results[next.at] = artifacts;
      }
    } catch (error) {
      waiting.length = 0;
      throw error;
    } finally {
      await worker.terminate();
    }
  });
  await Promise.all(threads);
  return results;
}
