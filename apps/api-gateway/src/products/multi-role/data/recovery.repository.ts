import type { FoundStamp, RecoveryReport, RecoveryTarget } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { OBSERVED_STATUSES, CUSTOM_LAUNCH_OBSERVED_STATUSES } from '@launch/contracts/states';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

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

/** Selects launches with a hand-off and without an end. The parameter holds their statuses. */
const observed = (statuses: string): string => `handoff IS NOT NULL AND status = ANY(${statuses}::text[])`;

// Plain SQL: each query joins or groups rows that Prisma would fetch one by one, and uses the database's clock.
// A search begins at the block on which a hand-off was simulated, because its launch cannot be included earlier.
const TARGETS = `
  SELECT router, min((handoff::json #>> '{simulation,blockNumber}')::numeric)::text AS "fromBlock"
  FROM launch WHERE ${observed('$2')} GROUP BY router ORDER BY min(created_at) LIMIT $1`;
const STAMPED = `
  SELECT launch_id AS "launchId", found.transaction_hash AS "transactionHash"
  FROM launch JOIN unnest($2::text[], $3::text[]) AS found (onchain_launch_id, transaction_hash) USING (onchain_launch_id)
  WHERE router = $1 AND ${observed('$4')}`;
const REPORT = `
  INSERT INTO recovery_report (router, checkpoint_number, checkpoint_hash, head_number, observation, reason, reported_at)
  VALUES ($1, $2, $3, $4, $5, $6, now())
  ON CONFLICT (router) DO UPDATE SET checkpoint_number = $2, checkpoint_hash = $3, head_number = $4, observation = $5, reason = $6, reported_at = now()`;
const READ_REPORTS = `
  SELECT router, checkpoint_number AS "checkpointNumber", checkpoint_hash AS "checkpointHash", head_number AS "headNumber", observation, reported_at AS "reportedAt"
  FROM recovery_report WHERE router = $1 OR router IN (SELECT router FROM launch WHERE family = 'multi-role.v2' AND ${observed('$2')})
  ORDER BY router <> $1, router`;

/** Reads and writes the rows of the recovery. */
@Injectable()
export class RecoveryRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns routers of unfinished launches, the longest waiting first. */
  async targets(limit: number): Promise<readonly RecoveryTarget[]> {
    return this.database.query<RecoveryTarget & Record<string, unknown>>(TARGETS, [limit, STAMPED_STATUSES]);
  }

  async stamped(router: string, stamps: readonly FoundStamp[]): Promise<readonly StampedLaunch[]> {
    const columns = [
      stamps.map(({ onchainLaunchId }) => onchainLaunchId),
      stamps.map(({ transactionHash }) => transactionHash),
    ];
    return this.database.query<StampedLaunch & Record<string, unknown>>(STAMPED, [
      router,
      ...columns,
      STAMPED_STATUSES,
    ]);
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
    return this.database.query<StoredReport & Record<string, unknown>>(READ_REPORTS, [router, OBSERVED_STATUSES]);
  }
}
