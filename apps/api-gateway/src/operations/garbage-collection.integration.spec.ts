import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);
const MODULE = new URL('../../dist/operations/garbage-collection.js', import.meta.url).href;

/** How often a process of 40 MiB of heap marks all of it, while 600 MB of buffers come and go. */
const COUNT = `
const { PerformanceObserver, constants } = await import('node:perf_hooks');
let marked = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) marked += 1;
}).observe({ entryTypes: ['gc'] });
const heap = Array.from({ length: 400_000 }, (_, index) => ({ index, name: 'n' + index }));
for (let buffer = 0; buffer < 1_500; buffer += 1) {
  new Uint8Array(400_000).fill(1);
  if (buffer % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await new Promise((resolve) => setTimeout(resolve, 20));
console.log(heap.length > 0 ? marked : -1);`;

const marksOf = async (prologue: string): Promise<number> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', prologue + COUNT]);
  return Number(stdout);
};

it('marks the heap less often for buffers that come and go than V8 by itself', async () => {
  const asked = await marksOf(`(await import(${JSON.stringify(MODULE)})).countBuffersWithTheHeap();`);
  const byItself = await marksOf('');
  expect(asked).toBeGreaterThanOrEqual(0);
  expect(asked).toBeLessThan(byItself);
}, 60_000);
