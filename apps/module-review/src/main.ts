import { createFileBlobStore } from '@launch/blob-store';
import { canonicalSha256 } from '@launch/contracts';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { openModuleReviewDatabase } from '@launch/prisma-module-review';
import { logTrouble, runWorker } from '@launch/worker';
import { loadReviewConfig } from './config.js';
import { createReviewActivities } from './review.activities.js';
import { createReviewRepository } from './review.repository.js';
import { createReviewService } from './review.service.js';

await runWorker({
  service: 'module-review',
  taskQueue: TASK_QUEUES.moduleReview,
  workflows: import.meta.resolve('@launch/workflows/module-review'),
  loadConfig: loadReviewConfig,
  compose({ config, logger, pool }) {
    const document = config.REVIEWER_POLICY_FILE;
    const service = createReviewService({
      blobs: createFileBlobStore({ dir: config.BLOB_DIR }),
      reviews: createReviewRepository(openModuleReviewDatabase(pool)),
      policy: { document, digest: canonicalSha256(document) },
      now: () => new Date(),
    });
    return { activities: createReviewActivities(service, logTrouble(logger)), maxConcurrentActivities: 8 };
  },
});
