import type { TemporalTarget } from '@launch/temporal';
import type { Logger } from '@launch/platform';
import { WorkerError } from '../worker.errors.js';
import type { Activities } from '../activities/activities.js';
import { connectPrepared } from './prepared-connection.js';
import { installTemporalRuntime } from './runtime.js';
import { requireSearchAttributes } from './search-attributes.js';
import { createServiceWorker, type ServiceWorker } from './service-worker.js';

export interface BackgroundWorkerOptions {
  readonly target: TemporalTarget;
  readonly taskQueue: string;
  /** Name of the service; with host and process id it is the worker's identity. */
  readonly service: string;
  readonly activities: Activities;
  /** The most concurrent activities. */
  readonly maxConcurrentActivities: number;
  readonly logger: Logger;
}

const RECONNECT_MS = 1_000;

/** Runs a worker of activities in a process with other work, which continues while Temporal is unreachable. */
export class BackgroundWorker {
  private worker: ServiceWorker | undefined;
  private stopping = false;
  /** The reason why there is no worker yet. */
  private obstacle: unknown;
  private readonly stopped = Promise.withResolvers<void>();

  constructor(private readonly options: BackgroundWorkerOptions) {
    installTemporalRuntime(options.logger);
  }

  /** Connects, retrying without a limit, and polls until `stop`. Rejects if a running worker fails. */
  async run(): Promise<void> {
    const connection = await this.connect();
    if (connection === undefined) return;
    const { target, taskQueue, service, activities, maxConcurrentActivities } = this.options;
    try {
      this.worker = await createServiceWorker({
        connection,
        namespace: target.namespace,
        payloadKeys: target.payloadKeys,
        taskQueue,
        service,
        activities: activities.functions,
        maxConcurrentActivities,
      });
      if (!this.stopping) await this.worker.run();
    } finally {
      await connection.close();
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.resolve();
    await this.worker?.shutdown();
  }

  /** Rejects unless the worker polls: a readiness check. */
  async check(): Promise<void> {
    if (this.worker === undefined) throw new Error('the worker is not connected yet', { cause: this.obstacle });
    await this.worker.check();
  }

  private async connect() {
    for (let attempt = 1; !this.stopping; attempt += 1) {
      try {
        // Other work of this process starts workflows with these attributes.
        return await connectPrepared(this.options.target, requireSearchAttributes);
      } catch (error) {
        this.obstacle = error;
        const why = error instanceof WorkerError ? 'the namespace is not prepared' : 'Temporal cannot be reached yet';
        if (attempt % 10 === 1) this.options.logger.warn({ err: error }, why);
        await Promise.race([this.stopped.promise, new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))]);
      }
    }
    return undefined;
  }
}
