import { openBlobReader, openBlobStore } from '@launch/blob-store';
import {
  createMetrics,
  createPool,
  Readiness,
  runService,
  startHealthServer,
  type ServiceContext,
} from '@launch/platform';
import { createGatewayDatabase } from '@launch/prisma-api-gateway';
import { connectTemporalLazily, temporalTarget } from '@launch/temporal';
import { DEFAULT_LIMITS } from '../../platform/configuration/limits.js';
import { OpenApiDocument } from '../../platform/openapi/openapi.document.js';
import { DEFAULT_QUOTAS } from '../../platform/rate-limits/gateway-quotas.js';
import { FormReaderPool } from '../../platform/request-forms/form-reader.pool.js';
import { createReviewUpdates } from '../../products/reviewer/domain/review-updates.js';
import { RenderPool } from '../../products/reviewer/http/rendering/render.pool.js';
import { listen } from '../serve-module.js';
import { createReviewConsole } from './create-review-console.js';
import { readReviewConsoleConfig } from './review-console.config.js';

const SERVICE = 'review-console';

/** Starts the reviewers' API and console, and serves them until it is stopped; what came up last is put away first. */
async function main({ logger, shutdown, ready }: ServiceContext): Promise<void> {
  const config = readReviewConsoleConfig();
  const pool = createPool({ connectionString: config.DATABASE_URL, applicationName: `launch-${SERVICE}`, logger });
  const database = createGatewayDatabase(pool);
  shutdown.add('database', () => database.close());
  const temporal = connectTemporalLazily(temporalTarget(config));
  shutdown.add('temporal client', () => temporal.close());
  const metrics = createMetrics(SERVICE);
  const readiness = new Readiness({ database: () => database.ping(), temporal: () => temporal.check() }, logger);
  const operations = await startHealthServer({
    host: config.OPERATIONS_HOST ?? config.HOST,
    port: config.OPERATIONS_PORT,
    readiness,
    metrics,
  });
  shutdown.add('operations', () => operations.close());
  // One thread: the files of a submission are listed once, and then kept.
  const formReader = new FormReaderPool({
    logger,
    threads: 1,
    script: new URL('./reviewed-files.worker.js', import.meta.url),
  });
  shutdown.add('form reader', () => formReader.close());
  const reviewRenderer = new RenderPool({ logger });
  shutdown.add('review renderer', () => reviewRenderer.close());

  const app = await createReviewConsole({
    database,
    blobs: openBlobStore(config.BLOB_STORE),
    buildResults: openBlobReader(config.BUILD_RESULTS_STORE),
    formReader,
    reviewRenderer,
    reviewUpdates: createReviewUpdates(temporal.client),
    credentialPepper: config.CREDENTIAL_PEPPER_FILE,
    cursorKey: config.CURSOR_KEY_FILE,
    quotas: config.RATE_LIMITS ?? DEFAULT_QUOTAS,
    limits: { ...DEFAULT_LIMITS, trustedProxies: config.TRUSTED_PROXIES },
    clock: { now: Date.now },
    logger,
    metrics,
    readiness,
  });
  shutdown.add('http', () => app.close());
  shutdown.add('readiness', () => readiness.drain());
  app.get(OpenApiDocument).make();
  ready({ port: await listen(app, config.PORT, config.HOST), operations: operations.port });
}

await runService(SERVICE, main);
