import { proxyActivities } from '@temporalio/workflow';
import {
  ETHEREUM_FEED_EVERY_MS,
  TASK_QUEUES,
  type EthereumFeedActivities,
  type HousekeepingInput,
} from '@launch/contracts/orchestration';
import { housekeep } from '../housekeeping/housekeep.js';

/** The most rounds of one run, with about eleven history events each. */
const ROUNDS_A_RUN = 300;

/** The next round repeats a failed reading, so nothing is lost. */
const gateway = proxyActivities<EthereumFeedActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
  taskQueue: TASK_QUEUES.gateway,
  summary: 'Publish the launches of Ethereum',
});

/** Makes the gateway publish launches of Ethereum periodically. */
export async function publishEthereum(input?: HousekeepingInput): Promise<void> {
  return housekeep(input, {
    everyMs: ETHEREUM_FEED_EVERY_MS,
    maxRounds: ROUNDS_A_RUN,
    async round() {
      const reading = await gateway.publishEthereumLaunches();
      return reading?.more === true ? 0 : ETHEREUM_FEED_EVERY_MS;
    },
  });
}
