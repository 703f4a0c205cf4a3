import { openBlobStore } from '@launch/blob-store';
import { openObserverPair, type ObserverPair } from '@launch/chain';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { CHAIN_ID } from '@launch/contracts/primitives';
import {
  countObserverRequests,
  createMetrics,
  createPool,
  Readiness,
  runService,
  startHealthServer,
  type Logger,
  type Registry,
  type ServiceContext,
  type Shutdown,
} from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { AnswerSigner } from '@launch/http';
import { connectTemporalLazily, lastPolled, modulesTarget, temporalTarget } from '@launch/temporal';
import { BackgroundWorker, reportTrouble } from '@launch/worker';
import { ContextService } from './core/context/context.service.js';
import { ReleaseRepository } from './core/context/release.repository.js';
import { createLaunchChain, UNOBSERVED_CHAIN, type LaunchChain } from './core/chain/launch-chain.js';
import { createIndexDatabase, NO_INDEX, type IndexDatabase } from './products/index/data/index-database.js';
import { readGatewayConfig, type GatewayConfig } from './composition/configuration/gateway.config.js';
import { createGatewayApp } from './composition/create-app.js';
import type { GatewayParts } from './composition/app.module.js';
import { listen } from './composition/serve-module.js';
import { OpenApiController } from './products/discovery/http/openapi.controller.js';
import { readMachineContracts } from './core/gates/machine-contracts.js';
import { LiveCustomLaunchRelease, UNBOUND_RELEASE } from './core/gates/custom-launch-release.js';
import { DOCUMENT_FILES } from './core/downloads/published-documents.js';
import {
  INDEX_READER_FILES,
  LAUNCH_CLI_FILES,
  MODULE_CLIENT_FILES,
  readPublishedFiles,
} from './core/downloads/published-files.js';
import { FORM_THREAD } from './composition/form-threads.js';
import { FormReaderPool } from './platform/request-forms/form-reader.pool.js';
import {
  ReviewProjectionsService,
  reviewWork,
} from './products/module-submissions/domain/review-projections.service.js';
import { createReviewWorkflows } from './products/module-submissions/domain/review-workflows.js';
import { createGatewayActivities, createModuleActivities } from './composition/gateway.activities.js';
import { PolledWorkers } from './core/launches/launch-workers.js';
import { startHousekeeping, type Sweepable } from './platform/operations/housekeeping.js';
import { ethereumFeedWork, PublishEthereumService } from './products/index/domain/publish-ethereum.service.js';
import { launchGateWork } from './core/gates/launch-gate.activities.js';
import { LaunchGatesService } from './core/gates/launch-gates.service.js';
import { FamilyRepository } from './core/projections/family.repository.js';
import { measureHandoffs } from './core/projections/handoff-metrics.js';
import { projectionWork } from './core/projections/projection.activities.js';
import { PlanStepsService } from './products/plans/domain/plan-steps.service.js';
import { planWork, VerifiedPlanSteps } from './products/plans/domain/verified-plan-steps.js';
import { ProjectionService } from './core/projections/projection.service.js';
import { StatedLaunchRepository } from './core/projections/stated-launch.repository.js';
import { StatementVerifier } from './core/projections/statement-verifier.js';
import { VerifiedProjections } from './core/projections/verified-projections.js';
import { StepProofRepository } from './products/plans/data/step-proof.repository.js';
import { anonymousRpcBudget } from './platform/rate-limits/anonymous-rpc.budget.js';
import { RateBucketRepository } from './platform/rate-limits/rate-bucket.repository.js';
import { WorkPlaceRepository } from './platform/rate-limits/work-place.repository.js';
import { recoveryWork } from './products/multi-role/domain/recovery.activities.js';
import { watchRecoveryPause } from './products/multi-role/domain/recovery-pause.js';
import { RefusedRequestsService } from './core/launches/refused-requests.service.js';
import { BlobSpace, UNLIMITED_SPACE, type StorageSpace } from './platform/storage/blob-space.js';
import { RecoveryService } from './products/multi-role/domain/recovery.service.js';
import { RelayService } from './core/relay/relay.service.js';
import { createLaunchWorkflows } from './core/launches/launch-workflows.js';

const ETHEREUM_CHAIN_ID = 1;
const INDEX_STATEMENT_MS = 5_000;
const clock = { now: () => Date.now() };

function chainOf(config: GatewayConfig, database: GatewayDatabase, logger: Logger, metrics: Registry): LaunchChain {
  const reports = { logger, exchanged: countObserverRequests(metrics) };
  const pair = (variable: string, urls: string | undefined, chainId: number): ObserverPair | null =>
    urls === undefined ? null : openObserverPair(variable, urls, chainId, reports);
  const l2 = pair('RPC_4663_URLS', config.l2Urls, CHAIN_ID);
  return l2 === null
    ? UNOBSERVED_CHAIN
    : createLaunchChain(
        l2,
        pair('RPC_1_URLS', config.l1Urls, ETHEREUM_CHAIN_ID),
        clock.now,
        anonymousRpcBudget(new RateBucketRepository(database), config.quotas['public-rpc']),
      );
}

/** Opens the indexer's published views over a separate pool: a slow index holds up no launch. */
function openIndex({ indexDatabase }: GatewayConfig, { logger, shutdown }: ServiceContext): IndexDatabase {
  if (indexDatabase === null) return NO_INDEX;
  const pool = createPool({
    connectionString: indexDatabase.url,
    applicationName: 'launch-api-gateway',
    max: indexDatabase.pool,
    statementTimeoutMs: INDEX_STATEMENT_MS,
    logger,
  });
  shutdown.add('index database', () => pool.end());
  return createIndexDatabase(pool);
}

/** Measures the disk of the blobs. An object store has none. */
function storageSpaceOf(
  { blobs, limits }: GatewayConfig,
  logger: Logger,
  metrics: Registry,
  shutdown: Shutdown,
): StorageSpace {
  if (blobs.kind === 's3') return UNLIMITED_SPACE;
  const space = new BlobSpace({
    dir: blobs.dir,
    minFreeBytes: limits.blobMinFreeBytes,
    now: clock.now,
    logger,
    metrics,
  });
  shutdown.add('storage space', space.start());
  return space;
}

/** Starts everything, then works until it is stopped; what came up last is put away first. */
async function main(context: ServiceContext): Promise<void> {
  const { logger, shutdown, ready } = context;
  const config = readGatewayConfig();
  const database = createGatewayDatabase(
    createPool({
      connectionString: config.databaseUrl,
      applicationName: 'launch-api-gateway',
      max: config.databasePool,
      logger,
    }),
  );
  shutdown.add('database', () => database.close());
  const blobs = openBlobStore(config.blobs);
  const target = temporalTarget(config.temporal);
  const temporal = connectTemporalLazily(target);
  shutdown.add('temporal client', () => temporal.close());
  const ofModules = modulesTarget(config.temporal);
  const reviews = connectTemporalLazily(ofModules);
  shutdown.add('temporal client of modules', () => reviews.close());

  const recoveryPause = watchRecoveryPause(temporal.client, logger);
  shutdown.add('recovery pause', () => recoveryPause.stop());

  const notBegun = (): Promise<void> => Promise.reject(new Error('the worker has not begun'));
  const checks = { worker: notBegun, moduleWorker: notBegun };
  const metrics = createMetrics('api-gateway');
  const storageSpace = storageSpaceOf(config, logger, metrics, shutdown);
  const readiness = new Readiness(
    {
      database: () => database.ping(),
      temporal: () => temporal.check(),
      worker: () => checks.worker(),
      moduleWorker: () => checks.moduleWorker(),
    },
    logger,
    {
      degradations: {
        recovery: () => (recoveryPause.isPaused() ? 'paused' : null),
        storage: () => (storageSpace.isLow() ? 'low' : null),
      },
    },
  );
  const formReader = new FormReaderPool({ logger, script: FORM_THREAD });
  shutdown.add('form reader', () => formReader.close());
  const operations = await startHealthServer({ ...config.operations, readiness, metrics });
  shutdown.add('operations', () => operations.close());
  const chain = chainOf(config, database, logger, metrics);
  const machineContracts = readMachineContracts();
  const { customLaunchContext, reviewedRouters } = config;
  const customLaunchRelease =
    customLaunchContext === null
      ? null
      : new LiveCustomLaunchRelease({
          context: customLaunchContext,
          chain,
          reviewedRouters,
          machineContracts,
          releases: new ReleaseRepository(database),
          clock,
          logger,
        });
  const parts: GatewayParts = {
    database,
    indexDatabase: openIndex(config, context),
    blobs,
    storageSpace,
    workflows: createLaunchWorkflows(temporal.client, config.publicOrigin),
    reviewWorkflows: createReviewWorkflows(reviews.client, config.publicOrigin),
    chain,
    formReader,
    context: config.context,
    signIn: config.signIn,
    reviewedRouters,
    publishedFiles: new Map([
      ...readPublishedFiles(config.downloadsDir),
      ...readPublishedFiles(config.launchCliDir, LAUNCH_CLI_FILES),
      ...readPublishedFiles(config.indexReaderDir, INDEX_READER_FILES),
      ...readPublishedFiles(config.documentsDir, DOCUMENT_FILES),
      ...readPublishedFiles(config.moduleCliDir, MODULE_CLIENT_FILES),
    ]),
    machineContracts,
    customLaunchRelease: customLaunchRelease ?? UNBOUND_RELEASE,
    siteUrl: config.siteUrl,
    moduleIntake: config.moduleIntake,
    reports: config.reports,
    answerSigner: new AnswerSigner(config.answerKeys, clock.now),
    credentialPepper: config.credentialPepper,
    cursorKey: config.cursorKey,
    quotas: config.quotas,
    limits: config.limits,
    clock,
    logger,
    metrics,
    readiness,
    recoveryPause,
    launchWorkers: new PolledWorkers({
      lastPolled: (queue, withinMs) =>
        lastPolled(
          temporal.client,
          queue,
          withinMs,
          queue === TASK_QUEUES.custody ? config.custodyNamespace : undefined,
        ),
      clock,
      logger,
    }),
  };
  const app = await createGatewayApp(parts);

  const onTrouble = reportTrouble(logger, metrics);
  const gates = launchGateWork(app.get(LaunchGatesService));
  const rows = app.get(StatedLaunchRepository);
  const statements = new StatementVerifier(config.statementKeys, metrics);
  const worker = new BackgroundWorker({
    target,
    taskQueue: TASK_QUEUES.gateway,
    service: 'api-gateway',
    activities: createGatewayActivities(
      {
        ...projectionWork(
          new VerifiedProjections({
            projections: measureHandoffs(app.get(ProjectionService), {
              launches: app.get(FamilyRepository),
              clock,
              metrics,
            }),
            rows,
            statements,
            gates,
            clock,
          }),
        ),
        ...recoveryWork(app.get(RecoveryService)),
        ...gates,
        ...planWork(new VerifiedPlanSteps({ plans: app.get(PlanStepsService), rows, statements, clock })),
        ...ethereumFeedWork(app.get(PublishEthereumService)),
      },
      onTrouble,
    ),
    maxConcurrentActivities: 16,
    logger,
  });
  checks.worker = () => worker.check();
  shutdown.add('worker', () => worker.stop());
  const moduleWorker = new BackgroundWorker({
    target: ofModules,
    taskQueue: TASK_QUEUES.gateway,
    service: 'api-gateway',
    activities: createModuleActivities(reviewWork(app.get(ReviewProjectionsService)), onTrouble),
    maxConcurrentActivities: 4,
    logger,
  });
  checks.moduleWorker = () => moduleWorker.check();
  shutdown.add('module worker', () => moduleWorker.stop());
  shutdown.add('http', () => app.close());
  shutdown.add('readiness', () => readiness.drain());

  app.get(OpenApiController).make();
  await Promise.all([app.get(ContextService).start(), customLaunchRelease?.start()]);
  shutdown.add('custom-launch release', async () => customLaunchRelease?.stop());
  const port = await listen(app, config.port, config.host);
  app.get(RelayService).start();
  shutdown.add(
    'housekeeping',
    startHousekeeping(
      blobs,
      [RateBucketRepository, WorkPlaceRepository, StepProofRepository, RefusedRequestsService].map((table) =>
        app.get<Sweepable>(table),
      ),
      logger,
    ),
  );
  ready({ port, operations: operations.port });
  await Promise.all([worker.run(), moduleWorker.run()]);
}

await runService('api-gateway', main);
