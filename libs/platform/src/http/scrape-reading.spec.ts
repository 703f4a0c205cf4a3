import { expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { scrapeReading } from './scrape-reading.js';

const given = { logger: createLogger({ service: 'scrape', level: 'silent' }), what: 'it' };

it('gauges of one scrape share a reading, and no other begins beside it', async () => {
  let reads = 0;
  let answer: (value: number) => void = () => undefined;
  const told = scrapeReading(() => new Promise<number>((resolve) => void ((reads += 1), (answer = resolve))), {
    ...given,
    everyMs: 0,
  });
  const first = [told(), told(), told()];
  answer(7);
  expect([await Promise.all(first), reads]).toEqual([[7, 7, 7], 1]);
  const next = told();
  answer(8);
  expect([await next, reads]).toEqual([8, 2]);
});

it('a reading is told again until its time is over', async () => {
  let reads = 0;
  const told = scrapeReading(async () => (reads += 1), { ...given, everyMs: 3_600_000 });
  expect([await told(), await told(), reads]).toEqual([1, 1, 1]);
});

it('a reading that fails is none, and the next one is tried', async () => {
  let reads = 0;
  const told = scrapeReading(
    async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return reads;
    },
    { ...given, everyMs: 0 },
  );
  expect([await told(), await told()]).toEqual([null, 2]);
});
