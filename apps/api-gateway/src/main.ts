import { createFileBlobStore } from '@launch/blob-store';
import { openObserverPair, type ObserverPair } from '@launch/chain';
import { CHAIN_ID } from '@launch/contracts';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import {
  createMetrics,
  createPool,
  Readiness,
  runService,
  startHealthServer,
  type Registry,
  type ServiceContext,
} from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { AnswerSigner } from '@launch/http';
import { connectTemporalLazily, lastPolled, type TemporalTarget } from '@launch/temporal';
import { BackgroundWorker, logTrouble } from '@launch/worker';
import { ContextService } from './multi-role/context/context.service.js';
import { ReleaseRepository } from './multi-role/context/release.repository.js';
import { createLaunchChain, UNOBSERVED_CHAIN, type LaunchChain } from './multi-role/chain/launch-chain.js';
import { createIndexDatabase, NO_INDEX, type IndexDatabase } from './coins/index-database.js';
import { readGatewayConfig, type GatewayConfig } from './config/gateway.config.js';
import { createGatewayApp } from './create-app.js';
import type { GatewayParts } from './app.module.js';
import { OpenApiController } from './discovery/openapi/openapi.controller.js';
import { OpenApiDocument } from './discovery/openapi/openapi.document.js';
import { readMachineContracts } from './discovery/machine-contracts/machine-contracts.js';
import { LiveV4Release, UNBOUND_RELEASE } from './launch-gates/v4-release.js';
import { LAUNCH_CLI_FILES, MODULE_CLIENT_FILES, readPublishedFiles } from './discovery/downloads/published-files.js';
import { FormReaderPool } from './launches/request/form-reader.pool.js';
import { ReviewProjectionsService, reviewWork } from './modules/review/review-projections.service.js';
import { createReviewWorkflows } from './modules/review/review-workflows.js';
import { createGatewayActivities } from './operations/gateway.activities.js';
import { PolledWorkers } from './operations/launch-workers.js';
import { startHousekeeping, type Sweepable } from './operations/housekeeping.js';
import { ethereumFeedWork, PublishEthereumService } from './ethereum-feed/publish-ethereum.service.js';
import { launchGateWork } from './launch-gates/launch-gate.activities.js';
import { LaunchGatesService } from './launch-gates/launch-gates.service.js';
import { projectionWork } from './projections/projection.activities.js';
import { planWork, PlanStepsService } from './projections/plan/plan-steps.service.js';
import { ProjectionService } from './projections/projection.service.js';
import { StepProofRepository } from './plans/step-proof.repository.js';
import { anonymousRpcBudget } from './rate-limits/anonymous-rpc.budget.js';
import { RateBucketRepository } from './rate-limits/rate-bucket.repository.js';
import { WorkPlaceRepository } from './rate-limits/work-place.repository.js';
import { recoveryWork } from './multi-role/recovery/recovery.activities.js';
import { watchRecoveryPause } from './multi-role/recovery/recovery-pause.js';
import { RefusedRequestsService } from './storage/refused-requests.service.js';
import { BlobSpace } from './storage/blob-space.js';
import { RecoveryService } from './multi-role/recovery/recovery.service.js';
import { createReviewerApp } from './reviewer/create-reviewer-app.js';
import { RenderPool } from './reviewer/rendering/render.pool.js';
import { createReviewUpdates } from './reviewer/review-updates.js';
import { RelayService } from './relay/relay.service.js';
import { createLaunchWorkflows } from './multi-role/launch-workflows.js';

const ETHEREUM_CHAIN_ID = 1;
const INDEX_STATEMENT_MS = 5_000;
const clock = { now: () => Date.now() };

function chainOf(config: GatewayConfig, database: GatewayDatabase, { logger }: ServiceContext): LaunchChain {
  const pair = (variable: string, urls: string | undefined, chainId: number): ObserverPair | null =>
    urls === undefined ? null : openObserverPair(variable, urls, chainId, logger);
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

/** What the indexer publishes, over a pool of its own: a slow index holds up no launch. */
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

/** The port that a listener has. @param asked of the system's choice where it is 0. */
function portOf(server: { address(): unknown }, asked: number): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null && 'port' in bound ? Number(bound.port) : asked;
}

/** @returns its port; null where no port is configured. */
async function startReviewerListener(
  parts: GatewayParts,
  metrics: Registry,
  { reviewerPort, host }: GatewayConfig,
  shutdown: ServiceContext['shutdown'],
): Promise<number | null> {
  if (reviewerPort === null) return null;
  const app = await createReviewerApp({ ...parts, metrics });
  shutdown.add('reviewer http', () => app.close());
  app.get(OpenApiDocument).make();
  return portOf(await app.listen(reviewerPort, host), reviewerPort);
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
  const blobs = createFileBlobStore({ dir: config.blobDir });
  const { apiKey, ...address } = config.temporal;
  const target: TemporalTarget = { ...address, ...(apiKey === undefined ? {} : { apiKey: apiKey.reveal() }) };
  const temporal = connectTemporalLazily(target);
  shutdown.add('temporal client', () => temporal.close());

  const recoveryPause = watchRecoveryPause(temporal.client, logger);
  shutdown.add('recovery pause', () => recoveryPause.stop());

  const checks: { worker: () => Promise<void> } = {
    worker: () => Promise.reject(new Error('the worker has not begun')),
  };
  const metrics = createMetrics('api-gateway');
  const storageSpace = new BlobSpace({
    dir: config.blobDir,
    minFreeBytes: config.limits.blobMinFreeBytes,
    now: clock.now,
    logger,
    metrics,
  });
  shutdown.add('storage space', storageSpace.start());
  const readiness = new Readiness(
    { database: () => database.query('SELECT 1'), temporal: () => temporal.check(), worker: () => checks.worker() },
    logger,
    {
      degradations: {
        recovery: () => (recoveryPause.isPaused() ? 'paused' : null),
        storage: () => (storageSpace.isLow() ? 'low' : null),
      },
    },
  );
  const formReader = new FormReaderPool({ logger });
  shutdown.add('form reader', () => formReader.close());
  const reviewerMetrics = createMetrics('api-gateway-reviewer');
  const operations = await startHealthServer({
    ...config.operations,
    readiness,
    metrics,
    ...(config.reviewerPort === null ? {} : { furtherMetrics: { reviewer: reviewerMetrics } }),
  });
  shutdown.add('operations', () => operations.close());
  const reviewRenderer = new RenderPool({ logger });
  shutdown.add('review renderer', () => reviewRenderer.close());
  const chain = chainOf(config, database, context);
  const machineContracts = readMachineContracts();
  const { customLaunchContext, reviewedRouters } = config;
  const v4Release =
    customLaunchContext === null
      ? null
      : new LiveV4Release({
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
    reviewWorkflows: createReviewWorkflows(temporal.client, config.publicOrigin),
    chain,
    formReader,
    context: config.context,
    signIn: config.signIn,
    reviewedRouters,
    publishedFiles: new Map([
      ...readPublishedFiles(config.downloadsDir),
      ...readPublishedFiles(config.launchCliDir, LAUNCH_CLI_FILES),
      ...readPublishedFiles(config.moduleCliDir, MODULE_CLIENT_FILES),
    ]),
    machineContracts,
    v4Release: v4Release ?? UNBOUND_RELEASE,
    siteUrl: config.siteUrl,
    reviewUpdates: createReviewUpdates(temporal.client),
    reviewRenderer,
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
      lastPolled: (...queue) => lastPolled(temporal.client, ...queue),
      clock,
      logger,
    }),
  };
  const app = await createGatewayApp(parts);

  const worker = new BackgroundWorker({
    target,
    taskQueue: TASK_QUEUES.gateway,
    service: 'api-gateway',
    activities: createGatewayActivities(
      {
        ...projectionWork(app.get(ProjectionService)),
        ...recoveryWork(app.get(RecoveryService)),
        ...launchGateWork(app.get(LaunchGatesService)),
        ...planWork(app.get(PlanStepsService)),
        ...reviewWork(app.get(ReviewProjectionsService)),
        ...ethereumFeedWork(app.get(PublishEthereumService)),
      },
      logTrouble(logger),
    ),
    maxConcurrentActivities: 16,
    logger,
  });
  checks.worker = () => worker.check();
  shutdown.add('worker', () => worker.stop());
  shutdown.add('http', () => app.close());
  shutdown.add('readiness', () => readiness.drain());

  app.get(OpenApiController).make();
  await Promise.all([app.get(ContextService).start(), v4Release?.start()]);
  shutdown.add('V4 release', async () => v4Release?.stop());
  const server = await app.listen(config.port, config.host);
  const reviewer = await startReviewerListener(parts, reviewerMetrics, config, shutdown);
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
  ready({ port: portOf(server, config.port), operations: operations.port, ...(reviewer === null ? {} : { reviewer }) });
  await worker.run();
}

await runService('api-gateway', main);
