import { Inject, Injectable } from '@nestjs/common';
import type { ReadStatus } from '@launch/contracts/index';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import type { JudgedRow } from './ethereum-record.js';
import { ADVANCE, COUNT, HOLD, LIST, PUBLISH, READ_AGAIN, RELEASE, STATE } from './ethereum-feed.sql.js';
import type { IndexReading } from './index-reading.repository.js';

/** The progress of reading the index. */
export interface FeedState {
  /** A 64-bit number as a string. */
  readonly lastSequence: string;
  readonly source: number;
  readonly published: number;
  readonly quarantined: number;
  readonly indexStatus: ReadStatus;
  readonly readAt: Date | null;
}

export interface EthereumRow {
  readonly publicationNumber: string;
  readonly record: string;
}

/** Stores rows of the feed of Ethereum. */
@Injectable()
export class EthereumFeedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async state(): Promise<FeedState> {
    const [row] = await this.database.query(STATE);
    if (row === undefined) throw new TypeError('the migration made the row');
    return row;
  }

  /** Lists rows in the order of publication, after a publication number; one row more than `limit` when more follow. */
  list(limit: number, after: string): Promise<readonly EthereumRow[]> {
    return this.database.query(LIST, [limit + 1, after]);
  }

  /** Returns whether a digest belongs to the evidence of a launch in the feed. */
  async hasEvidence(routerLaunchId: string, sha256: Sha256Digest): Promise<boolean> {
    const found = await this.database.prisma.ethereumRecord.findFirst({
      where: { routerLaunchId, evidenceSha256: sha256 },
      select: { publicationNumber: true },
    });
    return found !== null;
  }

  /**
   * Writes the result of a reading, all or nothing.
   * @param from the sequence number that the reading began after.
   * @returns the new records; null when another gateway has advanced from there.
   */
  record(
    from: string,
    reading: IndexReading,
    judged: readonly JudgedRow[],
    isComplete: boolean,
  ): Promise<{ readonly published: number; readonly held: number } | null> {
    return this.database.transaction(async (session) => {
      const through = judged.at(-1)?.row.sequence ?? from;
      const taken = await session.query(ADVANCE, [from, through, reading.status, reading.readAt]);
      if (taken.length === 0) return null;
      let [published, held] = [0, 0];
      for (const one of judged)
        if (await write(session, one)) published += 1;
        else if ('held' in one) held += 1;
      const [counted] = await session.query(COUNT, [reading.launches + reading.judged, reading.judged]);
      // Everything was read and a row is missing: the index renumbered it below the position of the reading.
      if (
        isComplete &&
        counted !== undefined &&
        counted.source > counted.published + counted.quarantined &&
        from !== '0'
      )
        await session.query(READ_AGAIN);
      return { published, held };
    });
  }
}

/** Writes a record. @returns whether it is new in the feed. */
async function write(session: Session, judged: JudgedRow): Promise<boolean> {
  const { blockHash, transactionHash, logIndex, evidenceSha256 } = judged.row;
  const place = [blockHash, transactionHash, logIndex];
  if ('held' in judged) {
    await session.query(HOLD, [...place, judged.held]);
    return false;
  }
  await session.query(RELEASE, place);
  const { routerLaunchId, record, recordSha256 } = judged;
  const rows = await session.query(PUBLISH, [routerLaunchId, record, recordSha256, evidenceSha256, ...place]);
  return rows.length > 0;
}
