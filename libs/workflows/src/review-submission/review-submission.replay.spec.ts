import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { reviewWorkflowId } from '@launch/contracts/orchestration';
import { REVIEW_STATES } from '@launch/contracts/states';
import { recordedHistories, replayOn } from '../fixtures/recorded-histories.fixture.js';

/**
 * Reviews wait for people, so most are open during a deployment. Record with RECORD_HISTORIES=1 and the integration
 * test.
 */
jest.setTimeout(180_000);

let replay: (history: string, workflowId: string) => Promise<void>;
beforeAll(async () => {
  replay = await replayOn('module-review.bundle.ts');
});

describe('recorded reviews', () => {
  const recorded = recordedHistories('review-submission');
  const workflowId = reviewWorkflowId('6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11');

  it.each(recorded.names)('The recorded review %s replays on this code.', async (name) => {
    await replay(recorded.text(name), workflowId);
  });

  it('cover every state, open or ended', () => {
    const states = recorded.names.flatMap((name) => {
      const { events } = JSON.parse(recorded.text(name)) as { readonly events: readonly object[] };
      // The state of the run's last upsert.
      const shown = JSON.stringify(
        events.findLast((event) => 'upsertWorkflowSearchAttributesEventAttributes' in event) ?? null,
      );
      const [, data = ''] = /"ReviewState":\{[^}]*\}?,?"data":"([^"]+)"/.exec(shown) ?? [];
      return JSON.parse(Buffer.from(data, 'base64').toString() || '[null]') as string[];
    });
    expect(new Set(states)).toEqual(new Set(REVIEW_STATES));
  });

  it.each(recordedHistories('review-readiness').names)(
    'The recorded readiness %s replays on this code.',
    async (name) => {
      await replay(recordedHistories('review-readiness').text(name), 'review-readiness');
    },
  );

  it('are rejected when the code no longer matches the history', async () => {
    const changed = recorded.text('accepted.json').replaceAll('moveReview', 'moveSomethingElse');
    await expect(replay(changed, workflowId)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
