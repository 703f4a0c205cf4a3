import {
  ETHEREUM_FEED_EVERY_MS,
  ETHEREUM_FEED_SCHEDULE_ID,
  ETHEREUM_FEED_WORKFLOW_ID,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { putSchedulePatiently, type TemporalClient } from '@launch/temporal';

const FEED = {
  scheduleId: ETHEREUM_FEED_SCHEDULE_ID,
  workflowType: WORKFLOW_TYPES.publishEthereum,
  taskQueue: TASK_QUEUES.indexer,
  workflowId: ETHEREUM_FEED_WORKFLOW_ID,
  everyMs: ETHEREUM_FEED_EVERY_MS,
  summary: 'Publishes launches of Ethereum in the V3 feed',
  details: [
    'Has the gateway read what the index published since, and write it into its own feed.',
    'Two minutes without a reading make the feed say `INDEX_STALE`, which readers reject. **Pause** this to hold publications.',
  ].join('\n\n'),
};

/** Makes the schedule, and has it read at once; a start that Temporal is away for goes on, and tries again. */
export async function scheduleEthereumFeed(
  client: TemporalClient['client'],
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const state = await putSchedulePatiently(client, FEED, {
    signal,
    onTrouble: (error) => logger.warn({ err: error }, 'the feed of Ethereum could not be scheduled yet'),
  });
  if (state?.isPaused === true) logger.warn({ note: state.note }, 'publications in the feed of Ethereum are paused');
}
