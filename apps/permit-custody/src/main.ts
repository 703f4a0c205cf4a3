import { createReadOnlyFileBlobStore } from '@launch/blob-store';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { Counter, createMetrics, createPool, Readiness, runService, startHealthServer } from '@launch/platform';
import { mayRewriteDecisions, openCustodyDatabase } from '@launch/prisma-custody';
import { createLocalKeySigner } from '@launch/signer';
import { connectWorkers, createServiceWorker, installTemporalRuntime, temporalTarget } from '@launch/temporal';
import { createBytesReader } from './bytes.reader.js';
import { loadCustodyConfig } from './config.js';
import { createCustodyActivities } from './custody.activities.js';
import { createDecisionRepository } from './decision/decision.repository.js';
import { createRefuseLaunch } from './decision/refuse-launch.service.js';
import { createSignPermit } from './permit/sign-permit.service.js';
import { pinContexts } from './pinned-contexts.js';
import { createAdmissionVerifier } from './receipt/admission.verifier.js';

const SERVICE = 'permit-custody';

await runService(SERVICE, async ({ logger, shutdown, ready }) => {
  const config = loadCustodyConfig();
  installTemporalRuntime(logger);
  const signer = await createLocalKeySigner(config.PERMIT_KEY_FILE);
  const pinned = pinContexts(config.LAUNCH_CONTEXT_FILE, config.PREVIOUS_CONTEXTS_DIR, signer.address);

  const pool = createPool({ connectionString: config.DATABASE_URL, applicationName: SERVICE, logger });
  shutdown.add('database', () => pool.end());
  const requireInsertOnly = async (): Promise<void> => {
    if (await mayRewriteDecisions(pool))
      throw new Error('the database role may rewrite decisions; custody needs one that can only insert and read');
  };
  await requireInsertOnly();
  const decisions = createDecisionRepository(openCustodyDatabase(pool));

  const metrics = createMetrics(SERVICE);
  const outcomes = new Counter({
    name: 'custody_activities_total',
    help: 'Calls of custody by activity and outcome',
    labelNames: ['activity', 'outcome'],
    registers: [metrics],
  });
  const shared = {
    read: createBytesReader(createReadOnlyFileBlobStore({ dir: config.BLOB_DIR })),
    decisions,
    admission: createAdmissionVerifier(config.ADMISSION_PUBLIC_KEY_FILE),
    now: () => new Date(),
  };
  const unsignedUntil = config.UNSIGNED_REFUSALS_UNTIL ?? null;
  const activities = createCustodyActivities({
    signPermit: createSignPermit({ ...shared, signer, pinned }),
    refuseLaunch: createRefuseLaunch({ ...shared, unsignedUntil }),
    onOutcome: (activity, outcome) => outcomes.inc({ activity, outcome }),
    onFault: (fault) => logger.warn(fault, 'custody gave no answer'),
  });

  const connection = await connectWorkers(temporalTarget(config));
  shutdown.add('temporal', () => connection.close());
  const worker = await createServiceWorker({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: TASK_QUEUES.custody,
    service: SERVICE,
    activities,
    maxConcurrentActivities: 4,
  });
  shutdown.add('worker', () => worker.shutdown());

  const readiness = new Readiness({ database: requireInsertOnly, temporal: () => worker.check() }, logger);
  const health = await startHealthServer({ host: config.HOST, port: config.METRICS_PORT, readiness, metrics });
  shutdown.add('health', () => health.close());
  const [, ...previous] = pinned.acceptedHashes;
  logger.info(
    { authority: signer.address, contextHash: pinned.currentHash, previous, router: pinned.router.router },
    'signing for one router',
  );
  if (unsignedUntil !== null)
    logger.warn({ until: unsignedUntil.toISOString() }, 'unsigned refusals are accepted until then');
  ready({ port: health.port });
  await worker.run();
});
