import { openBlobStore } from '@launch/blob-store';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { openModuleReviewDatabase } from '@launch/prisma-module-review';
import { connectTemporalLazily, temporalTarget } from '@launch/temporal';
import { keepHousekeeping, reportTrouble, runWorker } from '@launch/worker';
import { loadReviewConfig } from './config.js';
import { reviewMetrics } from './metrics.js';
import { READINESS } from './readiness/readiness.housekeeping.js';
import { createReadinessService } from './readiness/readiness.service.js';
import { createReviewActivities } from './review.activities.js';
import { createReviewRepository } from './review.repository.js';
import { createReviewService } from './review.service.js';
import { createSubmissionReader } from './submissions/submission.reader.js';

await runWorker({
  service: 'module-review',
  taskQueue: TASK_QUEUES.moduleReview,
  workflows: import.meta.resolve('@launch/workflows/module-review'),
  loadConfig: loadReviewConfig,
  compose({ config, logger, metrics, pool, shutdown }) {
    const starter = connectTemporalLazily(temporalTarget(config));
    shutdown.add('temporal client', () => starter.close());
    const reports = keepHousekeeping(starter.client, READINESS, logger);
    shutdown.add('readiness reports', () => reports.stop());
    const document = config.REVIEWER_POLICY_FILE;
    const policy = { document, digest: canonicalSha256(document) };
    const reviews = createReviewRepository(openModuleReviewDatabase(pool));
    const now = (): Date => new Date();
    reviewMetrics(metrics, { reviews, logger, now });
    const blobs = openBlobStore(config.BLOB_STORE);
    const submissions = createSubmissionReader({ blobs, logger });
    shutdown.add('submission reader', () => submissions.close());
    const service = createReviewService({ blobs, submissions, reviews, policy, now });
    const readiness = createReadinessService({ policy, askDatabase: () => pool.query('SELECT 1'), logger });
    return {
      activities: createReviewActivities(service, readiness, reportTrouble(logger, metrics)),
      maxConcurrentActivities: 8,
      degradations: { readinessReports: () => (reports.pause() === null ? null : 'paused') },
    };
  },
});
