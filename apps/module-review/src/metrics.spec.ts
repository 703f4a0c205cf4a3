import { expect, it } from '@jest/globals';
import { createLogger, createMetrics } from '@launch/platform';
import { reviewMetrics } from './metrics.js';
import type { ReviewRepository, ReviewsInState } from './review.repository.js';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const logger = createLogger({ service: 'module-review', level: 'silent' });

async function scraped(countByState: () => Promise<readonly ReviewsInState[]>): Promise<string[]> {
  const registry = createMetrics('module-review');
  reviewMetrics(registry, { reviews: { countByState } as ReviewRepository, logger, now: () => NOW });
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('launch_module_review'));
}

it('Every state that is not final is reported with the age of its oldest review.', async () => {
  const lines = await scraped(async () => [
    { state: 'queued', count: 3, oldest: new Date(NOW.getTime() - 90_000) },
    { state: 'built', count: 1, oldest: new Date(NOW.getTime() + 5_000) },
    { state: 'accepted', count: 9, oldest: new Date(0) },
  ]);
  const sampleOf = (name: string, state: string): string =>
    lines
      .find((line) => line.startsWith(`${name}{`) && line.includes(`state="${state}"`))
      ?.split(' ')
      .at(-1) ?? 'none';
  const states = ['awaiting_plan', 'queued', 'running', 'built', 'build_failed', 'accepted', 'rejected'];
  expect(states.map((state) => sampleOf('launch_module_reviews', state))).toEqual([
    '0',
    '3',
    '0',
    '1',
    '0',
    'none',
    'none',
  ]);
  expect(states.map((state) => sampleOf('launch_module_review_oldest_seconds', state))).toEqual(
    // A clock behind the database's yields no age below 0.
    ['0', '90', '0', '0', '0', 'none', 'none'],
  );
});

it('A scrape has no values while the database does not answer.', async () => {
  expect(await scraped(() => Promise.reject(new Error('away')))).toEqual([]);
});
