import { setTimeout as sleep } from 'node:timers/promises';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { LONG_POLL_MS } from '@launch/temporal';
import type { Clock } from '../../platform/tokens.js';

/** Names the view of the workers that launches need. */
export const LAUNCH_WORKERS = Symbol('LaunchWorkers');

/** The code for each service that launches and plans need, when its worker is away. */
const AWAY = {
  admission: 'ADMISSION_WORKER_AWAY',
  gateway: 'GATEWAY_WORKER_AWAY',
  custody: 'PERMIT_CUSTODY_AWAY',
  finality: 'FINALITY_WORKER_AWAY',
} as const satisfies Partial<Readonly<Record<keyof typeof TASK_QUEUES, string>>>;

/** The service that works off a task queue. */
export type LaunchWorker = keyof typeof AWAY;

/** The code while Temporal does not report which workers poll. */
const UNKNOWN = 'WORKERS_NOT_KNOWN';

/** Temporal records an idle worker once for each long poll; a worker without a record for half a minute more is away. */
const AWAY_AFTER_MS = LONG_POLL_MS + 30_000;
/** Milliseconds for which an answer is cached, for all callers. */
const KEPT_MS = 5_000;
/** Timeout of a request to Temporal. */
const ASKED_MS = 2_000;

const WORKERS = Object.keys(AWAY) as LaunchWorker[];

/** The view of the workers that launches and plans need. */
export interface LaunchWorkers {
  /** @returns a code for each of these that is away, or one code for all when Temporal does not answer. Waits at most `ASKED_MS`. */
  away(needed: readonly LaunchWorker[]): Promise<readonly string[]>;
}

export interface PolledWorkersParts {
  /** Returns when a task queue was last polled, in Unix milliseconds; null when no worker polls it. */
  readonly lastPolled: (taskQueue: string, withinMs: number) => Promise<number | null>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Counts a worker as present while Temporal reports its polls. Queries each queue at most once in five seconds. */
export class PolledWorkers implements LaunchWorkers {
  private last: { readonly askedAt: number; readonly away: Promise<ReadonlySet<LaunchWorker> | null> } | undefined;

  constructor(private readonly parts: PolledWorkersParts) {}

  async away(needed: readonly LaunchWorker[]): Promise<readonly string[]> {
    if (needed.length === 0) return [];
    const away = await this.known();
    return away === null ? [UNKNOWN] : needed.filter((one) => away.has(one)).map((one) => AWAY[one]);
  }

  /** Returns null when Temporal did not answer in time. */
  private known(): Promise<ReadonlySet<LaunchWorker> | null> {
    const now = this.parts.clock.now();
    const { last } = this;
    if (last !== undefined && now >= last.askedAt && now - last.askedAt < KEPT_MS) return last.away;
    const away = this.ask(now);
    this.last = { askedAt: now, away };
    return away;
  }

  private async ask(now: number): Promise<ReadonlySet<LaunchWorker> | null> {
    const { lastPolled, logger } = this.parts;
    const asked = Promise.all(WORKERS.map((one) => lastPolled(TASK_QUEUES[one], ASKED_MS))).catch((error: unknown) => {
      logger.debug({ err: error }, 'Temporal did not say which workers poll');
      return null;
    });
    // The SDK pauses between the attempts of a call, so its deadline alone does not bound the time.
    const polled = await Promise.race([asked, sleep(ASKED_MS, null, { ref: false })]);
    if (polled === null) return null;
    return new Set(WORKERS.filter((_one, index) => now - (polled[index] ?? Number.NEGATIVE_INFINITY) > AWAY_AFTER_MS));
  }
}
