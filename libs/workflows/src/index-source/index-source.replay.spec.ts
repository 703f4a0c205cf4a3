import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { indexWorkflowId } from '@launch/contracts/orchestration';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/** An index stays open while its source is active. Record with RECORD_HISTORIES=1 and the integration test. */
jest.setTimeout(180_000);

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('indexer.bundle.ts');
});

describe('recorded indexes of sources', () => {
  const recorded = recordedHistories('index-source');
  const workflowId = indexWorkflowId({
    chainId: 4663,
    address: `0x${'a'.repeat(40)}`,
    releaseDigest: `sha256:${'1'.repeat(64)}`,
  });

  it.each(recorded.names)('The recorded index of %s replays on this code.', async (name) => {
    await replay(recorded.text(name), workflowId);
  });

  it('Recorded histories of indexing are rejected when the code no longer matches the history.', async () => {
    const changed = recorded.text('ended-after-commands.json').replaceAll('rejudgeEvent', 'rejudgeSomethingElse');
    await expect(replay(changed, workflowId)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
