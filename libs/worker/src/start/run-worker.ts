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
import { temporalTarget, type TemporalTarget, type TemporalVariables } from '@launch/temporal';
import type { NativeConnection } from '@temporalio/worker';
import { loadWorkflowBundle } from '../bundle/built-bundle.js';
import type { Activities } from '../activities/activities.js';
import type { Operations } from '../operations/operations.js';
import { connectPrepared } from './prepared-connection.js';
import { installTemporalRuntime } from './runtime.js';
import { awaitSearchAttributes } from './search-attributes.js';
import { connectWorkers, createServiceWorker } from './service-worker.js';
import { versionOf, type VersionVariables } from './worker-version.js';
import { reportVersion } from './worker-version.metrics.js';

/** The variables of a service's configuration that the start itself reads. */
export type WorkerConfig = TemporalVariables &
  VersionVariables & {
    /** Absent for a worker without a database. */
    readonly DATABASE_URL?: PoolOptions['connectionString'];
    readonly HOST: string;
    readonly METRICS_PORT: number;
  };

type Pool = ReturnType<typeof createPool>;
/** Undefined for a service without a database. */
type PoolOf<Config> = Config extends Required<Pick<WorkerConfig, 'DATABASE_URL'>> ? Pool : undefined;

/** The parts that the start creates for a service's own composition, and closes at the end. */
export interface WorkerParts<Config> {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly pool: PoolOf<Config>;
  /** Registers the service's own parts. The worker is drained before any of them stops. */
  readonly shutdown: ServiceContext['shutdown'];
}

/** Activities that a process offers on one task queue. */
export interface OfferedActivities {
  readonly activities: Activities;
  /** The most concurrent activities, or operations. */
  readonly maxConcurrentActivities: number;
}

/** The part of a worker that a service composes itself. */
export interface ComposedWorker extends Partial<OfferedActivities> {
  /** Nexus operations that it offers, in place of activities. */
  readonly operations?: Operations;
  /** Other task queues that this process polls for activities only, each with its own slots. */
  readonly further?: readonly (OfferedActivities & { readonly taskQueue: string })[];
  /**
   * Readiness checks in addition to those of the database and of the worker; one named `database` replaces the default.
   */
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  /** Called before the worker is drained, so that an activity that runs for minutes can end soon. */
  readonly stopping?: () => void;
  /** Parts that an operator switched off, as readiness reports them. */
  readonly degradations?: Readonly<Record<string, () => string | null>>;
}

export interface WorkerProcess<Config extends WorkerConfig> {
  /** Name of the process, of its worker's identity and of its deployment. */
  readonly service: string;
  readonly taskQueue: string;
  /** `import.meta.resolve('@launch/workflows/<name>')`; absent for a worker of activities only. */
  readonly workflows?: string;
  /** @throws ConfigError naming every wrong variable. */
  readonly loadConfig: () => Config;
  readonly compose: (parts: WorkerParts<Config>) => ComposedWorker | Promise<ComposedWorker>;
}

/**
 * Starts the process of any worker: configuration, logs, metrics, database (if it has one), connection, workflows and
 * their version, readiness, health server. Runs until it is stopped or its worker fails. Then drains the worker, closes
 * its connection, stops the service's own parts, and closes the database.
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

  const target = temporalTarget(config);
  // The three are independent, so the slowest decides how long the start takes.
  const [composed, connection, builtBundle] = await Promise.all([
    compose({ config, logger, metrics, pool: pool as PoolOf<Config>, shutdown }),
    workflows === undefined ? connectWorkers(target) : connectHosting(target),
    workflows === undefined ? undefined : loadWorkflowBundle(workflows),
  ]);
  shutdown.add('temporal', () => connection.close());
  const { deployment, workflowBundle } = versionOf(config, service, builtBundle);
  if (workflowBundle !== undefined) reportVersion(metrics, workflowBundle.buildId);
  const { namespace, payloadNamespace, payloadKeys } = target;
  const common = { connection, namespace, payloadNamespace, payloadKeys, service };
  const worker = await createServiceWorker({
    ...common,
    taskQueue,
    ...(composed.activities === undefined ? {} : { activities: composed.activities.functions }),
    ...(composed.operations === undefined ? {} : { operations: composed.operations.handler }),
    ...(composed.maxConcurrentActivities === undefined
      ? {}
      : { maxConcurrentActivities: composed.maxConcurrentActivities }),
    ...(workflowBundle === undefined
      ? {}
      : {
          workflowBundle,
          // Open workflows move to the promoted version; changes to their code go behind `patched`.
          versioning: { mode: 'auto-upgrade', deployment } as const,
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

/** Refuses to start a worker that could not set an attribute and would fail every task of its workflows. */
const connectHosting = (target: TemporalTarget): Promise<NativeConnection> =>
  connectPrepared(target, awaitSearchAttributes);
