import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/** Recorded admissions and preflights must replay on today's code; record with RECORD_HISTORIES=1 and the integration test. */
jest.setTimeout(180_000);

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('admission.bundle.ts');
});

describe.each([
  ['admit-launch', 10],
  ['evaluate-source', 8],
])('The recorded runs of %s', (workflow, least) => {
  const recorded = recordedHistories(workflow);

  it('exist', () => {
    expect(recorded.names.length).toBeGreaterThanOrEqual(least);
  });

  it.each(recorded.names)('include %s, which replays on this code', async (name) => {
    await replay(recorded.text(name), `${workflow}/replayed`);
  });

  it('are rejected when the code no longer matches the history', async () => {
    const changed = recorded.text(recorded.names[0]!).replaceAll('compileRequest', 'compileSomethingElse');
    await expect(replay(changed, `${workflow}/replayed`)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
