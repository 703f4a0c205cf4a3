import type { FoundStamp, RecoveryReport, RecoveryTarget } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { OBSERVED_STATUSES, CUSTOM_LAUNCH_OBSERVED_STATUSES } from '@launch/contracts/states';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { READ_REPORTS, REPORT, STAMPED, TARGETS } from './recovery.sql.js';

/** A launch that is stamped on chain and not finished in the database. */
export interface StampedLaunch {
  readonly launchId: string;
  readonly transactionHash: string;
}

/** The last report of a router as SQL returns it: 64-bit integers are strings. */
export interface StoredReport {
  readonly router: Hex;
  readonly checkpointNumber: string | null;
  readonly checkpointHash: Hex | null;
  readonly headNumber: string | null;
  readonly observation: 'agreed' | 'indeterminate';
  readonly reportedAt: Date;
}

/** The open statuses of every family whose launches a router stamps. */
const STAMPED_STATUSES: readonly string[] = [...new Set([...OBSERVED_STATUSES, ...CUSTOM_LAUNCH_OBSERVED_STATUSES])];

/** Reads and writes the rows of the recovery. */
@Injectable()
export class RecoveryRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns routers of unfinished launches, the longest waiting first. */
  async targets(limit: number): Promise<readonly RecoveryTarget[]> {
    return this.database.query(TARGETS, [limit, STAMPED_STATUSES]);
  }

  async stamped(router: string, stamps: readonly FoundStamp[]): Promise<readonly StampedLaunch[]> {
    const columns = [
      stamps.map(({ onchainLaunchId }) => onchainLaunchId),
      stamps.map(({ transactionHash }) => transactionHash),
    ];
    return this.database.query(STAMPED, [router, ...columns, STAMPED_STATUSES]);
  }

  /** Adds a hash to the launch's hints, so that every later run of its observation begins with it. */
  async keepHash({ launchId, transactionHash }: StampedLaunch): Promise<void> {
    await this.database.prisma.transactionHint.createMany({
      data: [{ launchId, transactionHash, source: 'recovery' }],
      skipDuplicates: true,
    });
  }

  async report({ router, checkpoint, head, observation, reason }: RecoveryReport): Promise<void> {
    await this.database.query(REPORT, [
      router,
      checkpoint?.blockNumber ?? null,
      checkpoint?.blockHash ?? null,
      head?.blockNumber ?? null,
      observation,
      reason,
    ]);
  }

  /**
   * Returns the last reports that concern the multi-role API: first that of its own router, then those of routers with
   * unfinished launches.
   */
  async lastReports(router: string): Promise<readonly StoredReport[]> {
    return this.database.query(READ_REPORTS, [router, OBSERVED_STATUSES]);
  }
}
