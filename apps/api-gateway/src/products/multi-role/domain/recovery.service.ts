import { Inject, Injectable } from '@nestjs/common';
import type { RecoveryReport, RecoveryResolveActivities, RecoveryTarget } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { ContextService } from '../../../core/context/context.service.js';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import { LOGGER } from '../../../platform/tokens.js';
import { RecoveryRepository } from '../data/recovery.repository.js';

/**
 * The number of routers searched in one round: the current one and those of earlier releases that have open launches.
 */
const MAX_TARGETS = 8;

/**
 * The gateway's part of the recovery: lists the stamps to search for, finds their launches and keeps the last report.
 */
@Injectable()
export class RecoveryService implements RecoveryResolveActivities {
  constructor(
    private readonly rows: RecoveryRepository,
    private readonly relay: LaunchRelayService,
    private readonly contexts: ContextService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async recoveryTargets(): Promise<readonly RecoveryTarget[]> {
    const targets = await this.rows.targets(MAX_TARGETS);
    const router = this.contexts.current?.document.chainDeployment.router.address;
    if (router === undefined || targets.some((target) => target.router === router)) return targets;
    return [{ router, fromBlock: null }, ...targets].slice(0, MAX_TARGETS);
  }

  /** A hash found on chain is a discovery aid like a hint: the observation judges it by its own rule. */
  async resolveStamps({
    router,
    stamps,
  }: Parameters<RecoveryResolveActivities['resolveStamps']>[0]): Promise<{ readonly woken: number }> {
    const launches = await this.rows.stamped(router, stamps);
    for (const launch of launches) {
      await this.rows.keepHash(launch);
      await this.relay.wake(launch.launchId, launch.transactionHash);
      this.logger.info(
        { launchId: launch.launchId, transactionHash: launch.transactionHash },
        'an open launch was found by its stamp',
      );
    }
    return { woken: launches.length };
  }

  async recordRecovery(report: RecoveryReport): Promise<void> {
    await this.rows.report(report);
  }
}
