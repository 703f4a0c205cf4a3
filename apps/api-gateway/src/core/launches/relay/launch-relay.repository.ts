import { Inject, Injectable } from '@nestjs/common';
import { bytes32Schema, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { Gathering } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { OPEN_STATUSES } from '../launch-families.js';
import { FIND, NOTE_DELIVERED, NOTE_STARTED, RETRY_SOON, TAKE_DUE } from './launch-relay.sql.js';

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

/** Reads and writes the launches of the relay. */
@Injectable()
export class LaunchRelayRepository {
  private readonly noting: Readonly<Record<StartedWorkflow, Gathering<string, void>>> = {
    admission: this.notingOf('admission'),
    observation: this.notingOf('observation'),
  };

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  private notingOf(which: StartedWorkflow): Gathering<string, void> {
    return new Gathering<string, void>(
      async (launchIds) => {
        await this.database.query(NOTE_STARTED[which], [launchIds]);
        return launchIds.map(() => undefined);
      },
      { lingerMs: 50 },
    );
  }

  /** Takes up to `limit` due launches and postpones each by `againInSeconds`. */
  async takeDue(limit: number, againInSeconds: number): Promise<readonly UnfinishedLaunch[]> {
    return this.database.query(TAKE_DUE, [limit, againInSeconds, OPEN_STATUSES]);
  }

  async findUnfinished(launchId: string): Promise<UnfinishedLaunch | null> {
    const [row] = await this.database.query(FIND, [launchId, OPEN_STATUSES]);
    return row ?? null;
  }

  /** Records the starts of many launches in one statement, and so in one flush. */
  async noteStarted(launchId: string, which: StartedWorkflow): Promise<void> {
    await this.noting[which].ask(launchId);
  }

  /** Makes a launch due again soon, because starting its workflow failed. */
  async retrySoon(launchId: string, inSeconds: number): Promise<void> {
    await this.database.query(RETRY_SOON, [launchId, inSeconds]);
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
    await this.database.query(NOTE_DELIVERED, [launchId, transactionHash]);
  }
}
