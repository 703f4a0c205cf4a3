import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { ETHEREUM_FEED_WORKFLOW_ID } from '@launch/contracts/orchestration';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/** A run may be open during a deployment. Record with RECORD_HISTORIES=1 and the integration test. */
jest.setTimeout(180_000);

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('indexer.bundle.ts');
});

describe('recorded publications of Ethereum', () => {
  const recorded = recordedHistories('publish-ethereum');

  it.each(recorded.names)('The recorded publication %s replays on this code.', async (name) => {
    await replay(recorded.text(name), ETHEREUM_FEED_WORKFLOW_ID);
  });

  it('are rejected when the code no longer matches the history', async () => {
    const changed = recorded.text('read-on.json').replaceAll('publishEthereumLaunches', 'publishSomethingElse');
    await expect(replay(changed, ETHEREUM_FEED_WORKFLOW_ID)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
