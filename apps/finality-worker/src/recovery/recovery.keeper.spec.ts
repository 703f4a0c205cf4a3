import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@launch/platform';
import type { TemporalClient } from '@launch/temporal';
import { keepRecovery } from './recovery.keeper.js';

const logger = createLogger({ service: 'finality-worker', level: 'silent' });

describe('a stop of the keeper', () => {
  it('settles after the look that runs: until then the look needs the connection', async () => {
    let answer: (error: Error) => void = () => undefined;
    const create = (): Promise<never> => new Promise((_, reject) => (answer = reject));
    const client = { schedule: { create } } as unknown as TemporalClient['client'];
    const keeper = keepRecovery(client, { everyMs: 1_000, logger });
    const events: string[] = [];
    const stopped = keeper.stop().then(() => events.push('stopped'));
    await new Promise((resolve) => setImmediate(resolve));
    events.push('answered');
    answer(new Error('no answer in time'));
    await stopped;
    expect(events).toEqual(['answered', 'stopped']);
  });
});
