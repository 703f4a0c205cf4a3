import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { sourceCommitOfBuild } from '@launch/platform';
import { reportTrouble, runWorker } from '@launch/worker';
import { createAttestation } from './attestation.service.js';
import { createBuildModule } from './build-module.service.js';
import { createBuildProcess } from './build.process.js';
import { createBuildSigner } from './build.signer.js';
import { createBuilderActivities } from './builder.activities.js';
import { loadBuilderConfig } from './config.js';
import { buildSample } from './sample-build.js';

/** The record of this service's build. */
export const BUILD_INFO = new URL('../build-info.json', import.meta.url);

/** Serves builds until it is stopped. @param program this service's own program, which each build runs. */
export const runBuilder = (program: string): Promise<void> =>
  runWorker({
    service: 'module-builder',
    taskQueue: TASK_QUEUES.moduleBuild,
    loadConfig: loadBuilderConfig,
    compose({ config, logger, metrics, shutdown }) {
      const stopping = new AbortController();
      shutdown.add('builds', () => stopping.abort());
      const document = config.REVIEWER_POLICY_FILE;
      const parts = {
        policy: { document, digest: canonicalSha256(document) },
        signer: createBuildSigner(config.BUILD_SIGNING_KEY_FILE.reveal()),
        sourceCommit: sourceCommitOfBuild(BUILD_INFO),
      };
      const attestation = createAttestation(parts, buildSample(stopping.signal));
      const evidence = createBuildProcess({
        program,
        blobs: config.BLOB_STORE,
        results: config.BUILD_RESULTS_STORE,
        ...parts,
      });
      return {
        activities: createBuilderActivities(
          { attestation, buildModule: createBuildModule(parts, evidence) },
          reportTrouble(logger, metrics),
        ),
        // Leaves one slot for an attestation beside the builds.
        maxConcurrentActivities: config.BUILD_CONCURRENCY + 1,
        checks: { authority: () => attestation.check() },
      };
    },
  });
