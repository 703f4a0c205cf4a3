import { connectWorkers, createServiceWorker, type ServiceWorker, type TemporalTarget } from '@launch/temporal';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';

const RECONNECT_MS = 1_000;

/** The worker of the gateway's own activities; the HTTP side lives on while Temporal is away. */
export class GatewayWorker {
  private worker: ServiceWorker | undefined;
  private stopping = false;
  private readonly stopped = Promise.withResolvers<void>();

  constructor(
    private readonly target: TemporalTarget,
    private readonly activities: object,
    private readonly logger: Logger,
  ) {}

  /** Connects, for as long as it takes, and polls until `stop`. Rejects when a running worker fails. */
  async run(): Promise<void> {
    const connection = await this.connect();
    if (connection === undefined) return;
    try {
      this.worker = await createServiceWorker({
        connection,
        namespace: this.target.namespace,
        taskQueue: TASK_QUEUES.gateway,
        service: 'api-gateway',
        activities: this.activities,
        maxConcurrentActivities: 16,
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
    if (this.worker === undefined) throw new Error('the worker is not connected yet');
    await this.worker.check();
  }

  private async connect() {
    for (let attempt = 1; !this.stopping; attempt += 1) {
      try {
        return await connectWorkers(this.target);
      } catch (error) {
        if (attempt % 10 === 1) this.logger.warn({ err: error }, 'Temporal cannot be reached yet');
        await Promise.race([this.stopped.promise, new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))]);
      }
    }
    return undefined;
  }
}
