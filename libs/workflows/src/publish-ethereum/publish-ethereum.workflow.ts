import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES, type EthereumFeedActivities } from '@launch/contracts/orchestration';

/** Readings of one run, at most: the next one goes on. */
const MAX_READINGS = 100;

/** A reading that fails is made again by the next run: nothing is lost by it. */
const gateway = proxyActivities<EthereumFeedActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
  taskQueue: TASK_QUEUES.gateway,
  summary: 'Publish what the index has of Ethereum',
});

/** Has the gateway publish launches of Ethereum until it has all of them. The schedule `feed-ethereum` begins it. */
export async function publishEthereum(): Promise<void> {
  for (let readings = 0; readings < MAX_READINGS; readings += 1) {
    const reading = await gateway.publishEthereumLaunches();
    if (reading === null || !reading.more) return;
  }
}
