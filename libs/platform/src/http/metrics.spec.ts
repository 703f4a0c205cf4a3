import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from './metrics.js';

it('The metrics sample the event loop every tenth of a second, so that an idle service is not woken constantly.', async () => {
  const registry = createMetrics('spec');
  const shortest = async (): Promise<number> => {
    const text = await registry.metrics();
    return Number(/^nodejs_eventloop_lag_min_seconds\{.*\} (\S+)$/m.exec(text)?.[1]);
  };
  // Reading the metrics resets the histogram, and an empty one has its greatest value, centuries.
  let seconds = Infinity;
  for (const until = Date.now() + 60_000; seconds > 60 && Date.now() < until; seconds = await shortest())
    await sleep(400);
  // A timer may fire late, but not early.
  expect(seconds).toBeGreaterThan(0.09);
  expect(seconds).toBeLessThan(60);
});
