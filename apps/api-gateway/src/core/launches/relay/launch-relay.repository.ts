import { Inject, Injectable } from '@nestjs/common';
import { bytes32Schema, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { Gathering } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { OPEN_STATUSES } from '../launch-families.js';

/** An unfinished launch as the relay reads it. */
export interface UnfinishedLaunch {
  readonly launchId: string;
  readonly family: LaunchFamily;
  readonly lineageId: string;
  readonly status: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
  readonly controller: Hex;
  /** End of the permit's window, decimal unix seconds. */
  readonly deadline: string;
  readonly handoffSha256: Sha256Digest | null;
}

type StartedWorkflow = 'admission' | 'observation';

const COLUMNS = `launch_id AS "launchId", family, lineage_id AS "lineageId", status, request_sha256 AS "requestSha256", request_hash AS "requestHash",
  context_hash AS "contextHash", controller, deadline::text AS deadline, handoff_sha256 AS "handoffSha256"`;

// An admission that has not ended with its window cannot be recorded: each further run is delayed longer, up to a day.
const PUT_OFF = `CASE WHEN handoff_sha256 IS NULL AND now() > to_timestamp(deadline)
    THEN least(interval '1 day', greatest($2 * interval '1 second', (now() - to_timestamp(deadline)) / 2))
    ELSE $2 * interval '1 second' END`;

// Rows that another gateway is taking are skipped. Taken rows are postponed, so that no gateway takes them again soon.
const TAKE_DUE = `
  UPDATE launch SET relay_after = now() + ${PUT_OFF}
  WHERE launch_id IN (
    SELECT launch_id FROM launch WHERE status = ANY($3::text[]) AND relay_after <= now()
    ORDER BY relay_after LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING ${COLUMNS}`;
const FIND = `SELECT ${COLUMNS} FROM launch WHERE launch_id = $1 AND status = ANY($2)`;

/** Reads and writes the launches of the relay. Plain SQL where rows are locked or compared with the database's clock. */
@Injectable()
export class LaunchRelayRepository {
  private readonly noting: Readonly<Record<StartedWorkflow, Gathering<string, void>>> = {
    admission: this.notingIn('admission_started_at'),
    observation: this.notingIn('observation_started_at'),
  };

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  // Rows are locked in one order, so that two gateways never deadlock.
  private notingIn(column: string): Gathering<string, void> {
    return new Gathering<string, void>(
      async (launchIds) => {
        await this.database.query(
          `UPDATE launch SET ${column} = now() WHERE launch_id IN (
          SELECT launch_id FROM launch WHERE launch_id = ANY($1) AND ${column} IS NULL ORDER BY launch_id FOR UPDATE)`,
          [launchIds],
        );
        return launchIds.map(() => undefined);
      },
      { lingerMs: 50 },
    );
  }

  /** Takes up to `limit` due launches and postpones each by `againInSeconds`. */
  async takeDue(limit: number, againInSeconds: number): Promise<readonly UnfinishedLaunch[]> {
    return this.database.query<UnfinishedLaunch & Record<string, unknown>>(TAKE_DUE, [
      limit,
      againInSeconds,
      OPEN_STATUSES,
    ]);
  }

  async findUnfinished(launchId: string): Promise<UnfinishedLaunch | null> {
    const [row] = await this.database.query<UnfinishedLaunch & Record<string, unknown>>(FIND, [
      launchId,
      OPEN_STATUSES,
    ]);
    return row ?? null;
  }

  /** Records the starts of many launches in one statement, and so in one flush. */
  async noteStarted(launchId: string, which: StartedWorkflow): Promise<void> {
    await this.noting[which].ask(launchId);
  }

  /** Makes a launch due again soon, because starting its workflow failed. */
  async retrySoon(launchId: string, inSeconds: number): Promise<void> {
    await this.database.query(
      `UPDATE launch SET relay_after = least(relay_after, now() + $2 * interval '1 second') WHERE launch_id = $1`,
      [launchId, inSeconds],
    );
  }

  async hintsOf(launchId: string): Promise<readonly { readonly transactionHash: Hex; readonly delivered: boolean }[]> {
    const hints = await this.database.prisma.transactionHint.findMany({
      where: { launchId },
      orderBy: [{ registeredAt: 'asc' }, { transactionHash: 'asc' }],
      select: { transactionHash: true, deliveredAt: true },
    });
    return hints.map(({ transactionHash, deliveredAt }) => ({
      transactionHash: bytes32Schema.parse(transactionHash),
      delivered: deliveredAt !== null,
    }));
  }

  async noteDelivered(launchId: string, transactionHash: string): Promise<void> {
    await this.database.query(
      `UPDATE transaction_hint SET delivered_at = coalesce(delivered_at, now()) WHERE launch_id = $1 AND transaction_hash = $2`,
      [launchId, transactionHash],
    );
  }
}
