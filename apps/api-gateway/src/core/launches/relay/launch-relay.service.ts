import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '@launch/platform';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { Carried, RelayedKind } from '../../relay/relayed.js';
import { RelayService } from '../../relay/relay.service.js';
import { LOGGER } from '../../../platform/tokens.js';
import { LAUNCH_WORKFLOWS, type LaunchWorkflows } from '../launch-workflows.js';
import { LaunchRelayRepository, type UnfinishedLaunch } from './launch-relay.repository.js';

/** Seconds until the relay rechecks a launch whose workflow was started: its run may have failed since. */
const RECHECK_SECONDS = 60;
const RETRY_SECONDS = 2;

export interface FollowOptions {
  /** Start another run after one that completed, too. */
  readonly evenIfCompleted?: boolean;
}

/** Starts the workflow that carries launches of one family from their hand-off to their end. */
export interface LaunchFollower {
  readonly family: LaunchFamily;
  follow(launch: UnfinishedLaunch, handoffSha256: Sha256Digest, options: FollowOptions): Promise<void>;
}

/**
 * Starts the workflows of launches of any family: `admit/<launchId>` until a hand-off is decided, then to the end
 * `observe/<launchId>` or the workflow of the family's follower.
 */
@Injectable()
export class LaunchRelayService implements RelayedKind, OnModuleInit {
  readonly kind = 'launch';
  private readonly followers = new Map<LaunchFamily, LaunchFollower>();

  constructor(
    private readonly relay: RelayService,
    private readonly repository: LaunchRelayRepository,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.relay.register(this);
  }

  /** Registers another workflow than `observe/<launchId>` to follow launches of a family. */
  register(follower: LaunchFollower): void {
    this.followers.set(follower.family, follower);
  }

  /** Starts the workflow of one launch now, without delaying the request; a failure is left to the sweep. */
  startSoon(launchId: string): void {
    this.relay.startSoon({ kind: this.kind, id: launchId });
  }

  /** Does the same for a launch whose row is at hand, once no request is ahead of it (see `RelayService.first`). */
  carry(launch: UnfinishedLaunch): void {
    this.relay.carry(this.kind, this.carriedOf(launch));
  }

  async takeDue(limit: number): Promise<readonly Carried[]> {
    return (await this.repository.takeDue(limit, RECHECK_SECONDS)).map((launch) => this.carriedOf(launch));
  }

  async find(launchId: string): Promise<Carried | null> {
    const launch = await this.repository.findUnfinished(launchId);
    return launch === null ? null : this.carriedOf(launch);
  }

  async retrySoon(launchId: string): Promise<void> {
    await this.repository.retrySoon(launchId, RETRY_SECONDS);
  }

  /** Signals a hash to the running observation; a failure is left to the sweep. */
  async deliverHint(launchId: string, transactionHash: string): Promise<void> {
    try {
      if (await this.workflows.signalHint(launchId, transactionHash))
        await this.repository.noteDelivered(launchId, transactionHash);
      else await this.relay.move({ kind: this.kind, id: launchId });
    } catch (error) {
      this.logger.warn({ err: error, launchId }, 'a hint could not be delivered yet');
      await this.retrySoon(launchId).catch(() => undefined);
    }
  }

  /**
   * Wakes the observation of a launch of which the chain shows more than the observation has seen. Where none runs, it
   * starts another, even after one that completed: a restored database can still show such a launch as unfinished.
   * Rejects while Temporal is unreachable.
   */
  async wake(launchId: string, transactionHash: string): Promise<void> {
    if (await this.workflows.signalHint(launchId, transactionHash)) {
      await this.repository.noteDelivered(launchId, transactionHash);
      return;
    }
    const launch = await this.repository.findUnfinished(launchId);
    if (launch !== null && launch.handoffSha256 !== null)
      await this.follow(launch, launch.handoffSha256, { evenIfCompleted: true });
  }

  private carriedOf(launch: UnfinishedLaunch): Carried {
    const { launchId, handoffSha256 } = launch;
    return {
      id: launchId,
      carry: () => (handoffSha256 === null ? this.admit(launch) : this.follow(launch, handoffSha256)),
    };
  }

  /** Starts the workflow that carries a launch from its hand-off to its end. */
  private follow(launch: UnfinishedLaunch, handoffSha256: Sha256Digest, options: FollowOptions = {}): Promise<void> {
    const follower = this.followers.get(launch.family);
    return follower === undefined
      ? this.observe(launch, handoffSha256, options)
      : follower.follow(launch, handoffSha256, options);
  }

  private async admit(launch: UnfinishedLaunch): Promise<void> {
    const { launchId, lineageId, requestSha256, requestHash, contextHash, controller, deadline } = launch;
    const ref = { launchId, requestSha256, requestHash, contextHash, controller, ...familyOf(launch) };
    await this.workflows.startAdmission({ launchId, ref, deadline }, lineageId);
    await this.repository.noteStarted(launchId, 'admission');
  }

  private async observe(launch: UnfinishedLaunch, handoffSha256: Sha256Digest, options: FollowOptions): Promise<void> {
    const { launchId, requestSha256, requestHash, controller } = launch;
    const hints = await this.repository.hintsOf(launchId);
    await this.workflows.startObservation(
      {
        launchId,
        requestSha256,
        requestHash,
        handoffSha256,
        controller,
        ...familyOf(launch),
        hints: hints.map(({ transactionHash }) => transactionHash),
      },
      options,
    );
    await this.repository.noteStarted(launchId, 'observation');
    // An existing run may lack the latest hashes; a repeated signal has no effect.
    for (const { transactionHash, delivered } of hints) {
      if (!delivered && (await this.workflows.signalHint(launchId, transactionHash))) {
        await this.repository.noteDelivered(launchId, transactionHash);
      }
    }
  }
}

/** Returns the family of an input; without one it is a multi-role launch. */
const familyOf = ({ family }: UnfinishedLaunch): { readonly family?: LaunchFamily } =>
  family === 'multi-role.v2' ? {} : { family };
