import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { replayGateInputs } from '@launch/contracts/activities';
import type { FailedReplay, ReplayGateActivities, ReplayReport } from '@launch/contracts/orchestration';
import { Activities } from '../activities/activities.js';
import {
  historyOf,
  recentWorkflows,
  type History,
  type RecentWorkflow,
  type WorkerClient,
} from './recent-workflows.js';

/** The bounds of one gate, for a worker that has its usual work besides. */
export interface ReplayBounds {
  /** Open workflows, and as many closed ones, of each type. */
  readonly perType: number;
  readonly historyBytes: number;
  readonly totalBytes: number;
  /** Time in which replays begin. A replay that does not end is stopped by the activity's own timeout. */
  readonly withinMs: number;
}

export const REPLAY_BOUNDS: ReplayBounds = {
  perType: 10,
  historyBytes: 8 * 1_048_576,
  totalBytes: 64 * 1_048_576,
  withinMs: 120_000,
};
const MAX_FAILURES = 20;
const MAX_REASON = 300;

/** The worker that replays: its queue, and its workflows as a replay takes them. */
export interface ReplayingWorker {
  readonly taskQueue: string;
  readonly buildId: string;
  readonly replay: ReplayWorkerOptions;
}

/** Creates the activity with which a version proves that it can continue the workflows of its queue. */
export function replayGateActivities(
  { taskQueue, buildId, replay }: ReplayingWorker,
  bounds: ReplayBounds = REPLAY_BOUNDS,
): ReplayGateActivities {
  return new Activities<ReplayGateActivities>(
    replayGateInputs,
    {
      async replayHistories(input, { signal }) {
        // The server routes the task to any worker of the queue until it knows that the version polls for activities.
        if (input.buildId !== null && input.buildId !== buildId)
          throw ApplicationFailure.retryable(`this worker has version ${buildId}`, 'VERSION_MISMATCH');
        const { client } = Context.current();
        const recent = await recentWorkflows(client, taskQueue, bounds.perType);
        return await replayAll(recent, { client, replay, bounds, signal });
      },
    },
    {
      failures: { outage: 'REPLAY_UNAVAILABLE', fault: 'REPLAY_BROKEN' },
      onTrouble: ({ err, code }) => Context.current().log.warn('histories cannot be read', { err, code }),
    },
  ).functions;
}

interface Replaying {
  readonly client: WorkerClient;
  readonly replay: ReplayWorkerOptions;
  readonly bounds: ReplayBounds;
  readonly signal: AbortSignal;
}

async function replayAll(recent: readonly RecentWorkflow[], replaying: Replaying): Promise<ReplayReport> {
  const { client, replay, bounds, signal } = replaying;
  const until = Date.now() + bounds.withinMs;
  let bytesLeft = bounds.totalBytes;
  let skipped = 0;
  // The SDK takes one history at a time, and the next one only after its result.
  let current: RecentWorkflow | undefined;
  async function* histories(): AsyncGenerator<{ workflowId: string; history: History }> {
    for (const workflow of recent) {
      signal.throwIfAborted();
      const read =
        Date.now() < until ? await historyOf(client, workflow, Math.min(bounds.historyBytes, bytesLeft)) : 'too-late';
      if (read === null) continue;
      if (typeof read === 'string') {
        skipped += 1;
        continue;
      }
      bytesLeft -= read.bytes;
      current = workflow;
      yield { workflowId: workflow.workflowId, history: read.history };
    }
  }
  const failures: FailedReplay[] = [];
  let replayed = 0;
  let failed = 0;
  for await (const { error } of Worker.runReplayHistories(replay, histories())) {
    replayed += 1;
    if (error === undefined || current === undefined) continue;
    failed += 1;
    if (failures.length < MAX_FAILURES) failures.push({ ...current, reason: error.message.slice(0, MAX_REASON) });
  }
  return { replayed, skipped, failed, failures };
}
