import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { RECOVERY_WORKFLOW_ID } from '@launch/contracts/orchestration';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/** A recovery is usually open during a deployment. Record with RECORD_HISTORIES=1 and the integration test. */
jest.setTimeout(180_000);

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('finality.bundle.ts');
});

describe('recorded recoveries', () => {
  const recorded = recordedHistories('recover-launches');

  it.each(recorded.names)('The recorded recovery %s replays on this code.', async (name) => {
    await replay(recorded.text(name), RECOVERY_WORKFLOW_ID);
  });

  it('are rejected when the code no longer matches the history', async () => {
    const changed = recorded.text(recorded.names[0]!).replaceAll('resolveStamps', 'resolveSomethingElse');
    await expect(replay(changed, RECOVERY_WORKFLOW_ID)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
