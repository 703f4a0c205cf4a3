import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/**
 * Recorded runs must replay on current code, because a workflow that is open during a deployment continues from its
 * history. Record with RECORD_HISTORIES=1 and the integration test.
 */
jest.setTimeout(180_000);
const recorded = recordedHistories('observe-launch');

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('finality.bundle.ts');
});

describe('recorded observations', () => {
  it('The recorded observations exist.', () => {
    expect(recorded.names.length).toBeGreaterThanOrEqual(4);
  });

  it.each(recorded.names)('The recorded observation %s replays on this code.', async (name) => {
    await replay(recorded.text(name), 'observe/replayed');
  });

  it('A recorded observation is rejected when the code no longer matches the history.', async () => {
    const changed = recorded.text('expired.json').replaceAll('recordAwaitingSignature', 'recordSomethingElse');
    await expect(replay(changed, 'observe/replayed')).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
