import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/** A plan that is open during a deployment continues from its history. */
jest.setTimeout(180_000);
const recorded = recordedHistories('run-plan');

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('finality.bundle.ts');
});

describe('recorded plans', () => {
  it('The recorded plans exist.', () => {
    expect(recorded.names.length).toBeGreaterThanOrEqual(5);
  });

  it.each(recorded.names)('The recorded plan %s replays on this code.', async (name) => {
    await replay(recorded.text(name), 'plan/replayed');
  });

  it('A recorded plan is rejected when the code no longer matches the history.', async () => {
    const changed = recorded.text('four-steps.json').replaceAll('simulateStep', 'simulateSomethingElse');
    await expect(replay(changed, 'plan/replayed')).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
