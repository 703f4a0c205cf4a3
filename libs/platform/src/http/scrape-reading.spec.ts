import { expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { scrapeReading } from './scrape-reading.js';

const given = { logger: createLogger({ service: 'scrape', level: 'silent' }), what: 'it' };

it('The gauges of one scrape share a reading, and no second one runs concurrently.', async () => {
  let reads = 0;
  let answer: (value: number) => void = () => undefined;
  const reading = scrapeReading(() => new Promise<number>((resolve) => void ((reads += 1), (answer = resolve))), {
    ...given,
    everyMs: 0,
  });
  const first = [reading(), reading(), reading()];
  answer(7);
  expect([await Promise.all(first), reads]).toEqual([[7, 7, 7], 1]);
  const next = reading();
  answer(8);
  expect([await next, reads]).toEqual([8, 2]);
});

it('A reading is reused until its interval ends.', async () => {
  let reads = 0;
  const reading = scrapeReading(async () => (reads += 1), { ...given, everyMs: 3_600_000 });
  expect([await reading(), await reading(), reads]).toEqual([1, 1, 1]);
});

it('A failed reading is null, and the next scrape reads again.', async () => {
  let reads = 0;
  const reading = scrapeReading(
    async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return reads;
    },
    { ...given, everyMs: 0 },
  );
  expect([await reading(), await reading()]).toEqual([null, 2]);
});
