import { describe, expect, it } from '@jest/globals';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { createLogger } from '@launch/platform';
import { PolledWorkers } from './launch-workers.js';

const logger = createLogger({ service: 'api-gateway', level: 'silent' });
const ALL = ['gateway', 'admission', 'custody', 'finality'] as const;

/** Creates workers that Temporal reports as having polled this long ago, by their queues; null for one that did not poll. */
function polled(ago: Readonly<Record<string, number | null>>) {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const asked: string[] = [];
  const lastPolled = async (queue: string): Promise<number | null> => {
    asked.push(queue);
    const age = ago[queue] ?? null;
    return age === null ? null : clock.at - age;
  };
  return { clock, asked, workers: new PolledWorkers({ lastPolled, clock, logger }) };
}

describe('Workers', () => {
  it('are present until a long poll and half a minute have passed since their last poll', async () => {
    const { workers } = polled({
      [TASK_QUEUES.gateway]: 0,
      [TASK_QUEUES.admission]: 90_000,
      [TASK_QUEUES.custody]: 90_001,
    });
    expect(await workers.away(ALL)).toEqual(['PERMIT_CUSTODY_AWAY', 'FINALITY_WORKER_AWAY']);
    expect(await workers.away(['custody'])).toEqual(['PERMIT_CUSTODY_AWAY']);
    expect(await workers.away([])).toEqual([]);
  });

  it('are queried once in five seconds, however many callers ask', async () => {
    const { workers, clock, asked } = polled({});
    await Promise.all([workers.away(ALL), workers.away(ALL)]);
    clock.at += 4_999;
    await workers.away(['finality']);
    expect([...asked].sort()).toEqual(ALL.map((one) => TASK_QUEUES[one]).sort());
    clock.at += 1;
    await workers.away(ALL);
    expect(asked).toHaveLength(8);
  });
});
