import { openBlobStore } from '@launch/blob-store';
import { DEFAULT_POLL_PACE, DEFAULT_STAMP_SEARCH, openObserverPair } from '@launch/chain';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { parseStrictJson } from '@launch/contracts/json';
import { contextSchema } from '@launch/contracts/multi-role';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { countObserverRequests, createEd25519Signer, createEd25519Verifier } from '@launch/platform';
import { openFinalityDatabase } from '@launch/prisma-finality';
import { connectTemporalLazily, temporalTarget } from '@launch/temporal';
import { keepHousekeeping, reportTrouble, runWorker } from '@launch/worker';
import { loadFinalityConfig } from './config.js';
import { createContextWatch } from './context.watch.js';
import { createFinalityActivities, finalityWork, signedFinalityWork } from './finality.activities.js';
import { createCustomLaunchContextRepository } from './launch/custom-launch-context.repository.js';
import { createLaunchLoader } from './launch/launch.loader.js';
import { measured, reportPaused } from './metrics.js';
import { createObservationRepository } from './observation/observation.repository.js';
import { createStampWatch } from './observation/stamp-watch.js';
import { keepWatching, wakeObservation } from './observation/stamp-watch.keeper.js';
import { createUnsentRepository } from './observation/unsent.repository.js';
import { createPlanLoader } from './plans/plan.loader.js';
import { createStepObservationRepository } from './plans/step-observation.repository.js';
import { createCheckpointRepository } from './recovery/checkpoint.repository.js';
import { RECOVERY } from './recovery/recovery.housekeeping.js';

const SERVICE = 'finality-worker';
const ETHEREUM = 1;
const CONTEXT_EVERY_MS = 60_000;

await runWorker({
  service: SERVICE,
  taskQueue: TASK_QUEUES.finality,
  workflows: import.meta.resolve('@launch/workflows/finality'),
  loadConfig: loadFinalityConfig,
  async compose({ config, logger, metrics, pool, shutdown }) {
    const context = contextSchema.parse(parseStrictJson(Buffer.from(config.LAUNCH_CONTEXT_FILE)));
    const customLaunchContext =
      config.CUSTOM_LAUNCH_CONTEXT_FILE === undefined
        ? null
        : customLaunchContextSchema.parse(parseStrictJson(Buffer.from(config.CUSTOM_LAUNCH_CONTEXT_FILE)));
    const reports = { logger, exchanged: countObserverRequests(metrics) };
    const l2 = openObserverPair('RPC_4663_URLS', config.RPC_4663_URLS, CHAIN_ID, reports);
    const l1 = openObserverPair('RPC_1_URLS', config.RPC_1_URLS, ETHEREUM, reports);

    const blobs = openBlobStore(config.BLOB_STORE);
    const database = openFinalityDatabase(pool);
    const customLaunchContexts = createCustomLaunchContextRepository(database, customLaunchContext);
    const rangeBlocks = BigInt(config.RPC_4663_LOG_RANGE);
    const starter = connectTemporalLazily(temporalTarget(config));
    shutdown.add('temporal client', () => starter.close());
    const checkpoints = createCheckpointRepository(database);
    const unsent = createUnsentRepository(database);
    const stamps = createStampWatch({
      l2,
      unsent,
      checkpoints,
      wake: (launchId, transactionHash) => wakeObservation(starter.client, launchId, transactionHash),
      rangeBlocks,
      now: Date.now,
    });
    shutdown.add('stamps', keepWatching(stamps, config.FINALITY_POLL_MIN_MS, logger));
    const launches = createLaunchLoader(blobs, customLaunchContexts);
    const plans = createPlanLoader(blobs, customLaunchContexts);
    const unsigned = finalityWork({
      l2,
      l1,
      blobs,
      launches,
      plans,
      steps: createStepObservationRepository(database),
      observations: createObservationRepository(database),
      checkpoints,
      unsent,
      watch: stamps,
      pace: {
        ...DEFAULT_POLL_PACE,
        minMs: config.FINALITY_POLL_MIN_MS,
        maxMs: config.FINALITY_POLL_MAX_MS,
        idleMinMs: config.FINALITY_POLL_MIN_MS / 4,
      },
      expectedMs: {
        submitted: config.FINALITY_EXPECT_INCLUDED_MS,
        included: config.FINALITY_EXPECT_POSTED_MS,
        posted: config.FINALITY_EXPECT_FINALIZED_MS,
      },
      logSearch: { rangeBlocks, searchBlocks: BigInt(config.FINALITY_SEARCH_BLOCKS) },
      stampSearch: { ...DEFAULT_STAMP_SEARCH, rangeBlocks },
      recoveryPollMs: config.RECOVERY_POLL_MS,
      now: Date.now,
    });

    const work = signedFinalityWork(unsigned, {
      launches,
      plans,
      signer: createEd25519Signer(config.FINALITY_SIGNING_KEY_FILE.reveal()),
      verifier: createEd25519Verifier(config.FINALITY_PUBLIC_KEY_FILE),
    });

    const recovery = keepHousekeeping(starter.client, RECOVERY, logger);
    shutdown.add('recovery', () => recovery.stop());
    const isRecoveryPaused = (): boolean => recovery.pause() !== null;
    reportPaused(metrics, isRecoveryPaused);

    const watch = createContextWatch(context, l2, l1);
    const customLaunchWatch = customLaunchContext === null ? null : createContextWatch(customLaunchContext, l2, l1);
    const refresh = async (): Promise<void> => {
      await Promise.all([watch.refresh(), customLaunchWatch?.refresh(), customLaunchContexts.keep()]);
    };
    const isRefreshed = (): Promise<void> =>
      refresh().catch((error: unknown) =>
        logger.warn({ err: error }, 'the context could not be held against the chain'),
      );
    await isRefreshed();
    const refreshing = setInterval(() => void isRefreshed(), CONTEXT_EVERY_MS);
    shutdown.add('context', () => clearInterval(refreshing));

    return {
      activities: createFinalityActivities(measured(work, metrics), reportTrouble(logger, metrics)),
      maxConcurrentActivities: 16,
      checks: { context: () => watch.hold() },
      degradations: {
        recovery: () => (isRecoveryPaused() ? 'paused' : null),
        // Launches of the other families are unaffected.
        customLaunchContext: () => customLaunchWatch?.reasons().join(', ') || null,
      },
    };
  },
});
