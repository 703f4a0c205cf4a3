import { openBlobStore } from '@launch/blob-store';
import { openObserverPair } from '@launch/chain';
import { createSecondExecutor } from '@launch/chain/second-opinion';
import { createCompiler, PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { ConfigError, countObserverRequests, createEd25519Signer } from '@launch/platform';
import { openAdmissionDatabase } from '@launch/prisma-admission';
import { reportTrouble, runWorker } from '@launch/worker';
import { createAdmissionActivities } from './admission.activities.js';
import { createAdmissionSteps } from './admission.steps.js';
import { createCompilationActivities, createLongCompilationActivities } from './compilation/compilation.activities.js';
import { loadAdmissionConfig } from './config.js';
import { measured } from './metrics.js';
import { createReceiptRepository } from './receipt/receipt.repository.js';
import { createReceiptService } from './receipt/receipt.service.js';
import { SignedOutcomes } from './receipt/signed-outcomes.js';
import { customLaunchContexts } from './families/custom-launch-contexts.js';
import { createStepSimulation } from './plans/simulate-step.service.js';
import { createRehearsalService } from './rehearsal/rehearse-launch.service.js';
import { createRouterStorageReader } from './rehearsal/router-storage.reader.js';
import { createRequestLoader } from './request/request.loader.js';
import { createHandoffRepository } from './simulation/handoff.repository.js';
import { createSimulationService } from './simulation/simulate-handoff.service.js';
import { createUsdReferenceService } from './usd-reference/usd-reference.service.js';

const ETHEREUM_CHAIN_ID = 1;
const SERVICE = 'admission-worker';
/** Maximum concurrent steps except compilations: most wait for the chain, and each holds a request of up to 16 MiB. */
const STEPS_AT_ONCE = 6;
/**
 * Milliseconds between two sweeps of a preflight's derived bytes, which are read within minutes; a killed process
 * leaves older ones.
 */
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const TEMPORARY_AGE_MS = 60 * 60 * 1000;

await runWorker({
  service: SERVICE,
  taskQueue: TASK_QUEUES.admission,
  workflows: import.meta.resolve('@launch/workflows/admission'),
  loadConfig: loadAdmissionConfig,
  compose({ config, logger, metrics, pool, shutdown }) {
    const now = (): Date => new Date();
    const database = openAdmissionDatabase(pool);
    const blobs = openBlobStore(config.BLOB_STORE);
    const sweep = setInterval(() => {
      blobs
        .sweep(TEMPORARY_AGE_MS)
        .catch((error: unknown) => logger.warn({ err: error }, 'temporary bytes could not be swept'));
    }, SWEEP_EVERY_MS);
    shutdown.add('sweep', () => clearInterval(sweep));

    const compiler = createCompiler({
      versions: PINNED_COMPILER_VERSIONS,
      concurrency: config.COMPILER_CONCURRENCY + config.COMPILER_LONG_CONCURRENCY,
      ...(config.COMPILER_CACHE_DIR === undefined ? {} : { cacheDir: config.COMPILER_CACHE_DIR }),
      onCacheFailure: (error) => logger.warn({ err: error }, 'a compiler result could not be remembered'),
    });
    shutdown.add('compiler', () => compiler.close());
    const reports = { logger, exchanged: countObserverRequests(metrics) };
    const l2 = openObserverPair('RPC_4663_URLS', config.RPC_4663_URLS, CHAIN_ID, reports);

    const { CUSTOM_LAUNCH_CONTEXT_FILE, PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR, RPC_1_URLS } = config;
    const contexts = customLaunchContexts(CUSTOM_LAUNCH_CONTEXT_FILE, PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR);
    if (contexts.size > 0 && RPC_1_URLS === undefined)
      throw new ConfigError([{ variable: 'RPC_1_URLS', problem: 'is required beside a context of custom launches' }]);
    const l1 = RPC_1_URLS === undefined ? null : openObserverPair('RPC_1_URLS', RPC_1_URLS, ETHEREUM_CHAIN_ID, reports);

    const secondExecutor = createSecondExecutor(l2);
    const signer = createEd25519Signer(config.ADMISSION_SIGNING_KEY_FILE.reveal());
    const usdReferences = createUsdReferenceService({ observers: { l2, l1 }, blobs, signer, now });
    const admissionSteps = createAdmissionSteps({
      blobs,
      compiler,
      compileTimes: {
        budgetMs: config.COMPILE_BUDGET_SECONDS * 1_000,
        shortMs: config.COMPILE_SHORT_SECONDS * 1_000,
      },
      contexts,
      l2,
      loader: createRequestLoader(blobs, contexts),
      receipts: createReceiptService({
        blobs,
        receipts: createReceiptRepository(database),
        signer,
        now,
      }),
      signer,
      rehearsals: createRehearsalService({
        l2,
        secondExecutor,
        storageOf: createRouterStorageReader(l2),
        now,
      }),
      simulations: createSimulationService({
        l2,
        secondExecutor,
        blobs,
        handoffs: createHandoffRepository(database),
        usdReferences,
        now,
      }),
      simulateStep: createStepSimulation({ l2, secondExecutor, blobs, contexts, signer, now }),
      usdReferences,
      now,
    });
    const steps = measured(admissionSteps, metrics);
    const onTrouble = reportTrouble(logger, metrics);
    return {
      activities: createAdmissionActivities({ steps, outcomes: new SignedOutcomes(signer), blobs, onTrouble }),
      maxConcurrentActivities: STEPS_AT_ONCE,
      further: [
        {
          taskQueue: TASK_QUEUES.compilation,
          activities: createCompilationActivities(steps, config.COMPILER_CONCURRENCY, onTrouble),
          maxConcurrentActivities: config.COMPILER_CONCURRENCY,
        },
        {
          taskQueue: TASK_QUEUES.longCompilation,
          activities: createLongCompilationActivities(steps, onTrouble),
          maxConcurrentActivities: config.COMPILER_LONG_CONCURRENCY,
        },
      ],
    };
  },
});
