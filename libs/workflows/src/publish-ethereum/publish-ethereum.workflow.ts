import { proxyActivities } from '@temporalio/workflow';
import {
  ETHEREUM_FEED_EVERY_MS,
  TASK_QUEUES,
  type EthereumFeedActivities,
  type HousekeepingInput,
} from '@launch/contracts/orchestration';
import { housekeep } from '../housekeeping/housekeep.js';

/** Rounds of one run; each is some eleven history events. */
const ROUNDS_A_RUN = 300;

/** A reading that fails is made again by the next round: nothing is lost by it. */
const gateway = proxyActivities<EthereumFeedActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
  taskQueue: TASK_QUEUES.gateway,
  summary: 'Publish what the index has of Ethereum',
});

/** Has the gateway publish launches of Ethereum, again and again. */
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
