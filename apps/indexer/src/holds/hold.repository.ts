import type { HeldPlace } from '@launch/contracts/orchestration';
import { sha256DigestSchema, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import { z } from 'zod';
import { searchText } from '../rows/index-rows.js';

export type HoldSubject = 'launches' | 'trades';

/** A block, or one transaction of it, from which the index draws no conclusion. */
export interface Hold {
  readonly blockNumber: bigint;
  /** Null for the whole block. */
  readonly transactionHash: Hex | null;
  readonly subject: HoldSubject;
}

/** Returns a key that is equal for holds of the same place and subject. */
export const holdKey = ({ blockNumber, transactionHash, subject }: Hold): string =>
  `${blockNumber}/${transactionHash ?? ''}/${subject}`;

/** A hold that the index sets because a place is unreadable; written with the range that skips the place. */
export interface HoldRow extends Hold {
  readonly reason: string;
  /** Time of the block, Unix seconds. */
  readonly timestamp: bigint;
}

/** A held place that is due to be read again. */
export interface DueHold extends Hold {
  /** Failed attempts so far. */
  readonly attempts: number;
}

export interface HoldRepository {
  /** Returns the holds that a reading of these blocks must leave out; a held transaction is left out in any block. */
  within(releaseDigest: Sha256Digest, from: bigint, to: bigint): Promise<readonly Hold[]>;
  /** Holds a place for an operator. A place that the index holds becomes the operator's. */
  hold(releaseDigest: Sha256Digest, place: HeldPlace, reason: string): Promise<void>;
  /** Schedules a held place to be read again as soon as it is final. Returns false without a hold of this place. */
  release(releaseDigest: Sha256Digest, place: HeldPlace): Promise<boolean>;
  /** Returns the hold that has been due longest, of blocks up to the checkpoint; null if none is due. */
  due(releaseDigest: Sha256Digest, checkpoint: bigint): Promise<DueHold | null>;
  /** Records a failed reading of a due place. @param waitMs before the next attempt; null for no further one. */
  postpone(releaseDigest: Sha256Digest, hold: Hold, waitMs: number | null): Promise<void>;
  /** Counts holds by subject and owner. */
  counts(): Promise<readonly HoldCount[]>;
}

const holdCountSchema = z.strictObject({
  releaseDigest: sha256DigestSchema,
  subject: z.enum(['launches', 'trades']),
  cause: z.enum(['operator', 'index']),
  count: z.int(),
});
export type HoldCount = Readonly<z.output<typeof holdCountSchema>>;

/** Returns the column value; empty for a whole block, since a part of a key is never null. */
export const columnOf = (transactionHash: Hex | null): string => transactionHash ?? '';
const holdOf = <Row extends { readonly transactionHash: string; readonly subject: string }>(
  row: Row,
): Row & Pick<Hold, 'transactionHash' | 'subject'> => ({
  ...row,
  transactionHash: row.transactionHash === '' ? null : (row.transactionHash as Hex),
  subject: row.subject as HoldSubject,
});

export function createHoldRepository(database: IndexerDatabase): HoldRepository {
  const keyOf = (releaseDigest: Sha256Digest, { blockNumber, transactionHash, subject }: Hold) => ({
    releaseDigest,
    blockNumber,
    transactionHash: columnOf(transactionHash),
    subject,
  });
  const placeOf = ({ blockNumber, transactionHash }: HeldPlace): Hold => ({
    blockNumber: BigInt(blockNumber),
    transactionHash,
    subject: 'launches',
  });
  return {
    async within(releaseDigest, from, to) {
      const rows = await database.hold.findMany({
        where: {
          releaseDigest,
          subject: 'launches',
          releasedAt: null,
          OR: [
            { transactionHash: '', blockNumber: { gte: from, lte: to } },
            { transactionHash: { not: '' }, cause: 'operator' },
          ],
        },
        orderBy: { blockNumber: 'asc' },
        select: { blockNumber: true, transactionHash: true, subject: true },
      });
      return rows.map(holdOf);
    },
    async hold(releaseDigest, place, reason) {
      const key = keyOf(releaseDigest, placeOf(place));
      const held = { cause: 'operator', reason: searchText(reason) ?? '', releasedAt: null, nextAttemptAt: null };
      await database.hold.upsert({
        where: { releaseDigest_blockNumber_transactionHash_subject: key },
        create: { ...key, ...held },
        update: held,
      });
    },
    async release(releaseDigest, place) {
      const now = new Date();
      const { count } = await database.hold.updateMany({
        where: keyOf(releaseDigest, placeOf(place)),
        data: { releasedAt: now, nextAttemptAt: now, attempts: 0 },
      });
      return count === 1;
    },
    async due(releaseDigest, checkpoint) {
      const row = await database.hold.findFirst({
        where: { releaseDigest, blockNumber: { lte: checkpoint }, nextAttemptAt: { lte: new Date() } },
        orderBy: { nextAttemptAt: 'asc' },
        select: { blockNumber: true, transactionHash: true, subject: true, attempts: true },
      });
      return row === null ? null : holdOf(row);
    },
    async postpone(releaseDigest, hold, waitMs) {
      await database.hold.updateMany({
        where: keyOf(releaseDigest, hold),
        data: { attempts: { increment: 1 }, nextAttemptAt: waitMs === null ? null : new Date(Date.now() + waitMs) },
      });
    },
    async counts() {
      const groups = await database.hold.groupBy({ by: ['releaseDigest', 'subject', 'cause'], _count: true });
      return groups.map(({ _count: count, ...group }) => holdCountSchema.parse({ ...group, count }));
    },
  };
}
