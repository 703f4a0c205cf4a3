import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@launch/platform';
import { LOGGER } from '../../platform/tokens.js';
import type { Carried, RelayedKind, RelayedName, ResourceName } from './relayed.js';
import { StartQueue } from './start-queue.js';

const SWEEP_MS = 1_000;
const BATCH = 20;
/** Concurrent starts that a small Temporal server handles without slowing the gateway's requests. */
const START_LANES = 4;
/** Milliseconds for which a start gives way to continuous creates: as long as a sweep leaves a fresh reservation alone. */
const GIVE_WAY_MS = 2_000;

/**
 * Carries unfinished resources of every kind from the database to Temporal. Starting twice has no effect, so several
 * gateways may sweep at once. If a process dies between commit and start, the next sweep of any gateway starts the
 * workflow.
 */
@Injectable()
export class RelayService implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly kinds = new Map<RelayedName, RelayedKind>();
  private readonly pending = new Set<Promise<void>>();
  /** Resources whose start is queued in this process; its own sweep skips them. */
  private readonly carried = new Set<string>();
  private readonly starts = new StartQueue({ lanes: START_LANES, giveWayMs: GIVE_WAY_MS });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Registers a kind of resources to carry. */
  register(kind: RelayedKind): void {
    this.kinds.set(kind.kind, kind);
  }

  /** Begins to sweep. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => this.track(this.sweep().then(() => this.start())), SWEEP_MS);
    this.timer.unref();
  }

  /** Starts the workflow of one resource now, without delaying the request; a failure is left to the sweep. */
  startSoon(resource: ResourceName): void {
    this.track(this.move(resource));
  }

  /** Does the same for a resource whose row is at hand, once no request is ahead of it (see `first`). */
  carry(kind: RelayedName, carried: Carried): void {
    const name = nameOf(kind, carried.id);
    this.carried.add(name);
    this.starts.add(() => this.carryOne(this.of(kind), carried).finally(() => this.carried.delete(name)));
  }

  /** Serves a request before queued starts, since a client waits only for the request. */
  first<T>(request: () => Promise<T>): Promise<T> {
    return this.starts.first(request);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.allSettled([...this.pending, this.starts.drain()]);
  }

  /** Makes one pass over due resources and returns their number. */
  async sweep(): Promise<number> {
    let seen = 0;
    for (const kind of this.kinds.values()) seen += await this.sweepKind(kind);
    return seen;
  }

  /** Starts the workflow of one resource unless it is finished; a failure is left to the sweep. */
  async move({ kind, id }: ResourceName): Promise<void> {
    const relayed = this.of(kind);
    try {
      const carried = await relayed.find(id);
      if (carried !== null) await this.carryOne(relayed, carried);
    } catch (error) {
      this.logger.warn({ err: error, kind, id }, 'a resource could not be relayed yet');
    }
  }

  private async sweepKind(kind: RelayedKind): Promise<number> {
    let seen = 0;
    try {
      for (;;) {
        const due = await kind.takeDue(BATCH);
        seen += due.length;
        const free = due.filter(({ id }) => !this.carried.has(nameOf(kind.kind, id)));
        await Promise.all(free.map((carried) => this.carryOne(kind, carried)));
        if (due.length < BATCH || this.stopped) return seen;
      }
    } catch (error) {
      this.logger.warn({ err: error, kind: kind.kind }, 'the relay could not sweep');
      return seen;
    }
  }

  private async carryOne(kind: RelayedKind, carried: Carried): Promise<void> {
    try {
      await carried.carry();
    } catch (error) {
      this.logger.warn({ err: error, kind: kind.kind, id: carried.id }, 'a workflow could not be started yet');
      await kind.retrySoon(carried.id).catch(() => undefined);
    }
  }

  private of(kind: RelayedName): RelayedKind {
    const relayed = this.kinds.get(kind);
    if (relayed === undefined) throw new TypeError(`nothing carries a ${kind}`);
    return relayed;
  }

  private track(work: Promise<void>): void {
    this.pending.add(work);
    void work.finally(() => this.pending.delete(work));
  }
}

const nameOf = (kind: RelayedName, id: string): string => `${kind}/${id}`;
