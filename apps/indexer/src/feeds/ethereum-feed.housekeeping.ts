import { ETHEREUM_FEED_WORKFLOW_ID, TASK_QUEUES, WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import type { HousekeepingWorkflow } from '@launch/temporal';

/** The housekeeping workflow through which the gateway's feed of Ethereum follows the index. */
export const ETHEREUM_FEED: HousekeepingWorkflow = {
  workflowType: WORKFLOW_TYPES.publishEthereum,
  workflowId: ETHEREUM_FEED_WORKFLOW_ID,
  taskQueue: TASK_QUEUES.indexer,
  summary: 'Publishes launches of Ethereum in the V3 feed',
  details: [
    'Has the gateway read what the index published since, and write it into its own feed.',
    'Two minutes without a reading make the feed say `INDEX_STALE`, which readers reject. Send `pause` with a reason to hold publications.',
  ].join('\n\n'),
};
