import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@launch/platform';
import type { LaunchWorkflows } from '../multi-role/launch-workflows.js';
import { LAUNCH_WORKFLOWS, LOGGER } from '../tokens.js';
import { StartQueue } from './start-queue.js';
import { RelayRepository, type UnfinishedLaunch } from './relay.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 20;
/** A launch whose workflow was seen to be started is looked at again after this: its run may have failed since. */
const RECHECK_SECONDS = 60;
const RETRY_SECONDS = 2;
/** As much as a small Temporal server starts at a time without keeping the gateway's requests from their processor. */
const START_LANES = 4;
/** A start gives way to creates that come without a pause for as long as a sweep lets a fresh reservation wait. */
const GIVE_WAY_MS = 2_000;

/**
 * Carries what the database shows as unfinished to Temporal: `admit/<launchId>` until a hand-off is decided,
 * `observe/<launchId>` from then to the end. Starting twice does nothing, so several gateways may sweep at once,
 * and a process that died between commit and start is made good by the next sweep of any of them.
 */
@Injectable()
export class RelayService implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly pending = new Set<Promise<void>>();
  /** Launches whose start waits in this process: its own sweep leaves them to it. */
  private readonly carried = new Set<string>();
  private readonly starts = new StartQueue({ lanes: START_LANES, giveWayMs: GIVE_WAY_MS });

  constructor(
    private readonly repository: RelayRepository,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins to sweep. */
  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => this.track(this.sweep().then(() => this.start())), SWEEP_MS);
    this.timer.unref();
  }

  /** Starts the workflow of one launch now, off the request's way; a failure is left to the sweep. */
  startSoon(launchId: string): void {
    this.track(this.moveById(launchId));
  }

  /** The same for a launch whose row is at hand, once no request is before it (see `first`). */
  carry(launch: UnfinishedLaunch): void {
    const { launchId } = launch;
    this.carried.add(launchId);
    this.starts.add(() => this.move(launch).finally(() => this.carried.delete(launchId)));
  }

  /** Serves a request before the starts that `carry` was given, since only the request has somebody who waits for it. */
  first<T>(request: () => Promise<T>): Promise<T> {
    return this.starts.first(request);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.allSettled([...this.pending, this.starts.drain()]);
  }

  /** One pass over what is due; returns how many launches were looked at. */
  async sweep(): Promise<number> {
    let seen = 0;
    try {
      for (;;) {
        const due = await this.repository.takeDue(BATCH, RECHECK_SECONDS);
        seen += due.length;
        await Promise.all(due.filter(({ launchId }) => !this.carried.has(launchId)).map((launch) => this.move(launch)));
        if (due.length < BATCH || this.stopped) return seen;
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the relay could not sweep');
      return seen;
    }
  }

  /** Tells the running observation of a hash; a failure is left to the sweep. */
  async deliverHint(launchId: string, transactionHash: string): Promise<void> {
    try {
      if (await this.workflows.signalHint(launchId, transactionHash))
        await this.repository.noteDelivered(launchId, transactionHash);
      else await this.moveById(launchId);
    } catch (error) {
      this.logger.warn({ err: error, launchId }, 'a hint could not be delivered yet');
      await this.repository.retrySoon(launchId, RETRY_SECONDS).catch(() => undefined);
    }
  }

  /**
   * Brings a launch to its observation's notice, of which the chain shows more than it knows. Where none runs, another
   * is begun, also after one that completed: a database that was set back can still show such a launch as unfinished.
   * Rejects while Temporal cannot be reached.
   */
  async wake(launchId: string, transactionHash: string): Promise<void> {
    if (await this.workflows.signalHint(launchId, transactionHash)) {
      await this.repository.noteDelivered(launchId, transactionHash);
      return;
    }
    const launch = await this.repository.findUnfinished(launchId);
    if (launch !== null && launch.handoffSha256 !== null)
      await this.observe(launch, launch.handoffSha256, { evenIfCompleted: true });
  }

  private async moveById(launchId: string): Promise<void> {
    try {
      const launch = await this.repository.findUnfinished(launchId);
      if (launch !== null) await this.move(launch);
    } catch (error) {
      this.logger.warn({ err: error, launchId }, 'a launch could not be relayed yet');
    }
  }

  private async move(launch: UnfinishedLaunch): Promise<void> {
    const { launchId } = launch;
    try {
      if (launch.handoffSha256 === null) await this.admit(launch);
      else await this.observe(launch, launch.handoffSha256);
    } catch (error) {
      this.logger.warn({ err: error, launchId }, 'a workflow could not be started yet');
      await this.repository.retrySoon(launchId, RETRY_SECONDS).catch(() => undefined);
    }
  }

  private async admit(launch: UnfinishedLaunch): Promise<void> {
    const { launchId, requestSha256, requestHash, contextHash, controller, nonce, router, deadline } = launch;
    await this.workflows.startAdmission({
      launchId,
      ref: { launchId, requestSha256, requestHash, contextHash, controller },
      nonce,
      router,
      deadline,
    });
    await this.repository.noteStarted(launchId, 'admission');
  }

  private async observe(
    launch: UnfinishedLaunch,
    handoffSha256: string,
    options: { readonly evenIfCompleted?: boolean } = {},
  ): Promise<void> {
    const { launchId, requestSha256, requestHash, controller } = launch;
    const hints = await this.repository.hintsOf(launchId);
    await this.workflows.startObservation(
      {
        launchId,
        requestSha256,
        requestHash,
        handoffSha256,
        controller,
        hints: hints.map(({ transactionHash }) => transactionHash),
      },
      options,
    );
    await this.repository.noteStarted(launchId, 'observation');
    // A run that was there already may not know the latest hashes; telling it twice does nothing.
    for (const { transactionHash, delivered } of hints) {
      if (!delivered && (await this.workflows.signalHint(launchId, transactionHash))) {
        await this.repository.noteDelivered(launchId, transactionHash);
      }
    }
  }

  private track(work: Promise<void>): void {
    this.pending.add(work);
    void work.finally(() => this.pending.delete(work));
  }
}
