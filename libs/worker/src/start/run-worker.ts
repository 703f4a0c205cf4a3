import {
  createMetrics,
  createPool,
  Readiness,
  runService,
  startHealthServer,
  type Logger,
  type PoolOptions,
  type ReadinessCheck,
  type Registry,
  type ServiceContext,
} from '@launch/platform';
import { temporalTarget } from '@launch/temporal';
import type { NativeConnection } from '@temporalio/worker';
import { loadWorkflowBundle } from '../bundle/built-bundle.js';
import type { Activities } from '../activities/activities.js';
import { connectPrepared } from './prepared-connection.js';
import { installTemporalRuntime } from './runtime.js';
import { awaitSearchAttributes } from './search-attributes.js';
import { connectWorkers, createServiceWorker } from './service-worker.js';

/** What the start itself reads of a service's configuration. */
export type WorkerConfig = Parameters<typeof temporalTarget>[0] & {
  /** Absent: a worker without a database. */
  readonly DATABASE_URL?: PoolOptions['connectionString'];
  readonly HOST: string;
  readonly METRICS_PORT: number;
};

type Pool = ReturnType<typeof createPool>;
/** A service that names no database has no pool. */
type PoolOf<Config> = Config extends Required<Pick<WorkerConfig, 'DATABASE_URL'>> ? Pool : undefined;

/** What a worker is composed of; the start has made it, and puts it away. */
export interface WorkerParts<Config> {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly pool: PoolOf<Config>;
  /** What the service starts beside this. The worker is drained before any of it is put away. */
  readonly shutdown: ServiceContext['shutdown'];
}

/** Activities that a process offers on one task queue. */
export interface OfferedActivities {
  readonly activities: Activities;
  /** Activities at once. */
  readonly maxConcurrentActivities: number;
}

/** The part of a worker that a service composes itself. */
export interface ComposedWorker extends OfferedActivities {
  /** Further task queues that this process polls for activities only, each with its own slots. */
  readonly further?: readonly (OfferedActivities & { readonly taskQueue: string })[];
  /** Readiness checks beside those of the database and of the worker; one named `database` replaces the usual one. */
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  /** Told that the worker is about to be drained: an activity that goes on for minutes ends soon. */
  readonly stopping?: () => void;
  /** Parts that somebody switched off, as readiness tells them. */
  readonly degradations?: Readonly<Record<string, () => string | null>>;
}

export interface WorkerProcess<Config extends WorkerConfig> {
  /** Names the process, its worker's identity and its deployment. */
  readonly service: string;
  readonly taskQueue: string;
  /** `import.meta.resolve('@launch/workflows/<name>')`; absent for activities alone. */
  readonly workflows?: string;
  /** @throws ConfigError naming every wrong variable. */
  readonly loadConfig: () => Config;
  readonly compose: (parts: WorkerParts<Config>) => ComposedWorker | Promise<ComposedWorker>;
}

/**
 * The one way to start the process of a worker: configuration, logs, metrics, database (if it has one), connection,
 * workflows and their version, readiness, health server. It runs until it is stopped or its worker fails. At the end it drains the worker,
 * closes its connection, puts away what the service composed, and closes the database.
 */
export function runWorker<Config extends WorkerConfig>(worker: WorkerProcess<Config>): Promise<void> {
  return runService(worker.service, (context) => startWorker(worker, context));
}

async function startWorker<Config extends WorkerConfig>(
  { service, taskQueue, workflows, loadConfig, compose }: WorkerProcess<Config>,
  { logger, shutdown, ready }: ServiceContext,
): Promise<void> {
  const config = loadConfig();
  installTemporalRuntime(logger);
  const metrics = createMetrics(service);
  const pool =
    config.DATABASE_URL === undefined
      ? undefined
      : createPool({ connectionString: config.DATABASE_URL, applicationName: service, logger });
  if (pool !== undefined) shutdown.add('database', () => pool.end());

  // They need nothing of one another: the slowest of the three decides how long the start takes.
  const [composed, connection, workflowBundle] = await Promise.all([
    compose({ config, logger, metrics, pool: pool as PoolOf<Config>, shutdown }),
    connect(config, workflows !== undefined),
    workflows === undefined ? undefined : loadWorkflowBundle(workflows),
  ]);
  shutdown.add('temporal', () => connection.close());
  const common = { connection, namespace: config.TEMPORAL_NAMESPACE, service };
  const worker = await createServiceWorker({
    ...common,
    taskQueue,
    activities: composed.activities.functions,
    maxConcurrentActivities: composed.maxConcurrentActivities,
    ...(workflowBundle === undefined
      ? {}
      : {
          workflowBundle,
          // Open workflows move to the version that is promoted; what changes in their code goes behind `patched`.
          versioning: { mode: 'auto-upgrade', deployment: service } as const,
        }),
  });
  const further = await Promise.all(
    (composed.further ?? []).map(({ activities, ...offered }) =>
      createServiceWorker({ ...common, ...offered, activities: activities.functions }),
    ),
  );
  const workers = [worker, ...further];
  shutdown.add('worker', async () => {
    composed.stopping?.();
    await Promise.all(workers.map((one) => one.shutdown()));
  });

  const readiness = new Readiness(
    {
      ...(pool === undefined ? {} : { database: () => pool.query('SELECT 1') }),
      temporal: async () => {
        for (const one of workers) await one.check();
      },
      ...composed.checks,
    },
    logger,
    composed.degradations === undefined ? {} : { degradations: composed.degradations },
  );
  const health = await startHealthServer({ host: config.HOST, port: config.METRICS_PORT, readiness, metrics });
  shutdown.add('health', () => health.close());
  ready({ port: health.port });
  await Promise.all(workers.map((one) => one.run()));
}

/** A worker that could not set an attribute would fail every task of its workflows; it does not begin. */
const connect = (config: WorkerConfig, hostsWorkflows: boolean): Promise<NativeConnection> =>
  hostsWorkflows
    ? connectPrepared(temporalTarget(config), awaitSearchAttributes)
    : connectWorkers(temporalTarget(config));
