import { ApplicationFailure, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { REPLAY_FAILED, type ReplayGateActivities, type ReplayReport } from '@launch/contracts/orchestration';

const { replayHistories } = proxyActivities<ReplayGateActivities>({
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'Replay recent histories',
});

/**
 * The gate of a version: its caller pins a run to the version, whose own workers then replay the recent histories of
 * their queue. Completes if the version can continue every one, and fails otherwise. It needs no input, so that
 * Temporal's Worker Controller can start it too.
 */
export async function replayGate(): Promise<ReplayReport> {
  const buildId = workflowInfo().currentDeploymentVersion?.buildId ?? null;
  const report = await replayHistories({ buildId });
  if (report.failed === 0) return report;
  throw ApplicationFailure.create({
    type: REPLAY_FAILED,
    message: `${report.failed} of ${report.replayed} histories cannot be replayed`,
    nonRetryable: true,
    details: [report],
  });
}
