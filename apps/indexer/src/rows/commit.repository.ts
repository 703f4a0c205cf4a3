import type { Sha256Digest } from '@launch/contracts/primitives';
import { execute, failpoint, queryRows } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { Place } from '../chain/chain-heads.js';
import { holdKey, type Hold } from '../holds/hold.repository.js';
import { endHold, insertHolds, settleUnreadable } from '../holds/write-holds.js';
import { END_RANGE, LOCK_SOURCE, MOVE_RESCAN, OPEN_POSTINGS } from './commit.sql.js';
import { placeOf } from './source.repository.js';
import { searchText, type IndexRows, type LaunchRow, type QuarantineRow } from './index-rows.js';
import { admitThrough, numberThrough } from './number-launches.js';
import { eventOf, insertQuarantine, withoutIndexed } from './quarantine-rows.js';
import { insertSwaps } from './swap-rows.js';

/** A completely read range. */
export interface ReadRange extends IndexRows {
  readonly releaseDigest: Sha256Digest;
  /** The position that the range follows; null for the first. */
  readonly after: Place | null;
  readonly through: Place;
  /** Whether the range's last block is final, so that its launches are admitted with it. */
  readonly isFinal: boolean;
}

/**
 * `moved`: another worker moved the source from the range's start. `contested`: another source has a row of a coin of
 * the range in a block that is not final, which may belong to a dropped fork. In both cases nothing is written.
 */
export type Committed =
  | { readonly kind: 'written' | 'moved' }
  | { readonly kind: 'contested'; readonly reason: string; readonly event: LaunchEvent };

/** The log that identifies a launch's place. */
export type LaunchEvent = Pick<LaunchRow['record'], 'transactionHash' | 'logIndex'>;

export interface CommitRepository {
  /** Writes rows, quarantine and checkpoint of a range in one transaction. */
  commit(range: ReadRange): Promise<Committed>;
  /** Writes blocks that were read before: existing rows stay, missing ones are added. */
  commitAgain(
    again: IndexRows & { readonly releaseDigest: Sha256Digest; readonly through: bigint },
  ): Promise<Committed>;
  /** Writes the rows of a held place, and ends the hold unless the rows hold the same place again. */
  commitHeld(releaseDigest: Sha256Digest, hold: Hold, rows: IndexRows): Promise<Committed>;
  /** Numbers the launches up to a final block, in block, transaction and log order, and moves the finalized checkpoint. */
  admit(releaseDigest: Sha256Digest, position: Place, final: Place): Promise<boolean>;
  /** Deletes the rows above a block, or the whole provisional layer; never final rows. */
  rollBack(releaseDigest: Sha256Digest, position: Place, to: Place | null): Promise<boolean>;
  /** Returns, for launches that are not final, the lowest block without a known batch and the highest with one. */
  openPostings(releaseDigest: Sha256Digest): Promise<OpenPostings>;
  /** Marks launches up to a block as posted to Ethereum. */
  markPosted(releaseDigest: Sha256Digest, through: bigint): Promise<void>;
  /** Marks launches from a block on as unposted. */
  markUnposted(releaseDigest: Sha256Digest, from: bigint): Promise<void>;
  /** Admits a quarantined log that passes after all; `taken` if its coin, pool, launch or event has a row. */
  admitJudged(releaseDigest: Sha256Digest, launch: LaunchRow): Promise<Committed | { readonly kind: 'taken' }>;
}

type Transaction = Omit<IndexerDatabase, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Allows for a loaded machine; a lost session ends its transaction at once. */
const TRANSACTION = { timeout: 60_000, maxWait: 60_000 };

export interface OpenPostings {
  readonly lowestUnposted: Place | null;
  readonly highestPosted: Place | null;
}

const SOFT = 'sequencer_soft_confirmed';
/** Every block of Ethereum counts as posted. */
const POSTED = 'ethereum_posted';

export function createCommitRepository(database: IndexerDatabase): CommitRepository {
  /** Locks the source's row, so that the second of two writers sees the first one's commit. */
  const locked = <T>(
    releaseDigest: Sha256Digest,
    work: (tx: Transaction, row: { position: Place | null; checkpoint: bigint | null; chainId: number }) => Promise<T>,
  ): Promise<T> =>
    database.$transaction(async (tx) => {
      const [row] = await queryRows(tx, LOCK_SOURCE, [releaseDigest]);
      if (row === undefined) throw new Error(`no source ${releaseDigest}`);
      // Queried under the lock in a separate statement, which sees the previous commit.
      const [last] = await tx.checkpoint.findMany({ where: { releaseDigest }, orderBy: { number: 'desc' }, take: 1 });
      return work(tx, { ...row, position: placeOf(last) });
    }, TRANSACTION);

  return {
    async commit({ releaseDigest, after, through, isFinal, ...rows }) {
      const done = await locked<Committed>(releaseDigest, async (tx, { position, chainId }) => {
        if (!isSamePlace(position, after)) return { kind: 'moved' };
        await insertRows(tx, releaseDigest, rows);
        await insertSwaps(tx, releaseDigest, chainId, rows.swaps);
        await insertHolds(tx, releaseDigest, rows.holds);
        if (rows.launches.length > 0) failpoint('indexer.committing');
        await execute(tx, END_RANGE, [releaseDigest, through.number, through.hash]);
        if (isFinal) await admitThrough(tx, releaseDigest, through);
        return WRITTEN;
      }).catch(contested);
      if (rows.launches.length > 0) failpoint('indexer.committed');
      return done;
    },

    commitAgain: ({ releaseDigest, through, ...rows }) =>
      locked(releaseDigest, async (tx, { checkpoint, chainId }) => {
        await insertRows(tx, releaseDigest, rows);
        await insertSwaps(tx, releaseDigest, chainId, rows.swaps);
        await insertHolds(tx, releaseDigest, rows.holds);
        if (checkpoint !== null) await numberThrough(tx, releaseDigest, checkpoint);
        await execute(tx, MOVE_RESCAN, [releaseDigest, through]);
        return WRITTEN;
      }).catch(contested),

    commitHeld: (releaseDigest, hold, rows) =>
      locked(releaseDigest, async (tx, { checkpoint, chainId }) => {
        await insertRows(tx, releaseDigest, rows);
        await insertSwaps(tx, releaseDigest, chainId, rows.swaps);
        if (checkpoint !== null) await numberThrough(tx, releaseDigest, checkpoint);
        if (!rows.holds.some((row) => holdKey(row) === holdKey(hold))) await endHold(tx, releaseDigest, hold);
        // Holds of other subjects remain, such as a transaction of the block or its trades.
        await insertHolds(tx, releaseDigest, rows.holds);
        return WRITTEN;
      }).catch(contested),

    admit: (releaseDigest, position, final) =>
      locked(releaseDigest, async (tx, row) => {
        if (!isSamePlace(row.position, position)) return false;
        await admitThrough(tx, releaseDigest, final);
        return true;
      }),

    rollBack: (releaseDigest, position, to) =>
      locked(releaseDigest, async (tx, row) => {
        if (!isSamePlace(row.position, position)) return false;
        const above = to?.number ?? -1n;
        await tx.swap.deleteMany({ where: { releaseDigest, blockNumber: { gt: above } } });
        await tx.launch.deleteMany({ where: { releaseDigest, sequence: null, blockNumber: { gt: above } } });
        await tx.quarantine.deleteMany({ where: { releaseDigest, finalized: false, blockNumber: { gt: above } } });
        await tx.hold.deleteMany({ where: { releaseDigest, cause: 'index', blockNumber: { gt: above } } });
        await tx.checkpoint.deleteMany({ where: { releaseDigest, finalized: false, number: { gt: above } } });
        await tx.source.update({
          where: { releaseDigest },
          data: { provisionalNumber: to?.number ?? null, progressedAt: new Date() },
        });
        return true;
      }),

    async openPostings(releaseDigest) {
      const rows = await queryRows(database, OPEN_POSTINGS, [releaseDigest, SOFT, POSTED]);
      const placeIn = (wanted: string) => placeOf(rows.find(({ stage }) => stage === wanted));
      return { lowestUnposted: placeIn(SOFT), highestPosted: placeIn(POSTED) };
    },

    markPosted: (releaseDigest, through) =>
      locked(releaseDigest, async (tx) => {
        await tx.launch.updateMany({
          where: { releaseDigest, finalityStage: SOFT, blockNumber: { lte: through } },
          data: { finalityStage: POSTED },
        });
      }),

    markUnposted: (releaseDigest, from) =>
      locked(releaseDigest, async (tx) => {
        await tx.launch.updateMany({
          where: { releaseDigest, finalityStage: POSTED, blockNumber: { gte: from } },
          data: { finalityStage: SOFT },
        });
      }),

    admitJudged: (releaseDigest, launch) =>
      locked<Committed | { kind: 'taken' }>(releaseDigest, async (tx, { checkpoint }) => {
        const inserted = await insertLaunches(tx, releaseDigest, [launch]);
        if (inserted.size === 0) {
          await refuseContested(tx, releaseDigest, [launch]);
          return { kind: 'taken' };
        }
        if (checkpoint !== null) await numberThrough(tx, releaseDigest, checkpoint);
        return WRITTEN;
      }).catch(contested),
  };
}

const WRITTEN: Committed = { kind: 'written' };

/** Aborts its transaction. */
class ContestedError extends Error {
  constructor(
    message: string,
    readonly event: LaunchEvent,
  ) {
    super(message);
  }
}

function contested(error: unknown): Committed {
  if (error instanceof ContestedError) return { kind: 'contested', reason: error.message, event: error.event };
  throw error;
}

/** Compares number and hash: another worker may have reached the same number on another fork. */
const isSamePlace = (one: Place | null, other: Place | null): boolean =>
  one?.number === other?.number && one?.hash === other?.hash;

async function insertRows(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  rows: Pick<IndexRows, 'launches' | 'quarantine'>,
): Promise<void> {
  const inserted = await insertLaunches(tx, releaseDigest, rows.launches);
  const left = rows.launches.filter(({ record }) => !inserted.has(eventOf(record)));
  const taken = left.length === 0 ? [] : await identitiesTaken(tx, releaseDigest, left);
  const quarantine = [...(await withoutIndexed(tx, releaseDigest, rows.quarantine)), ...taken];
  await insertQuarantine(tx, releaseDigest, quarantine);
  await settleUnreadable(
    tx,
    releaseDigest,
    rows.launches.filter(({ record }) => inserted.has(eventOf(record))),
    quarantine,
  );
}

/** @returns the events of new rows; a row whose coin, pool, launch or event exists is skipped. */
async function insertLaunches(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  launches: readonly LaunchRow[],
): Promise<ReadonlySet<string>> {
  if (launches.length === 0) return new Set();
  const created = await tx.launch.createManyAndReturn({
    data: launches.map(({ record, metadata, transactionIndex, evidenceSha256 }) => ({
      releaseDigest,
      finalityStage: record.chainId === 1 ? POSTED : SOFT,
      chainId: record.chainId,
      sourceKind: record.sourceKind,
      factoryVersion: record.factoryVersion,
      sourceAddress: record.sourceAddress,
      routerAddress: record.routerAddress,
      launchId: record.launchId,
      launchKind: record.launchKind,
      tokenAddress: record.tokenAddress,
      creator: record.creator,
      poolManager: record.poolManager,
      poolId: record.poolId,
      hookAddress: record.hookAddress,
      blockNumber: BigInt(record.blockNumber),
      blockHash: record.blockHash,
      transactionHash: record.transactionHash,
      transactionIndex,
      logIndex: record.logIndex,
      launchedAt: new Date(record.launchedAt),
      name: searchText(record.name),
      symbol: searchText(record.symbol),
      verificationDigest: record.verificationDigest,
      evidenceSha256,
      record,
      metadata,
    })),
    skipDuplicates: true,
    select: { transactionHash: true, logIndex: true },
  });
  return new Set(created.map(eventOf));
}

/** Returns launches whose identity another event has; a launch whose own event exists was read before. */
async function identitiesTaken(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  left: readonly LaunchRow[],
): Promise<readonly QuarantineRow[]> {
  const known = await tx.launch.findMany({
    where: {
      OR: left.map(({ record: { chainId, blockHash, transactionHash, logIndex } }) => ({
        chainId,
        blockHash,
        transactionHash,
        logIndex,
      })),
    },
    select: { transactionHash: true, logIndex: true },
  });
  const there = new Set(known.map(eventOf));
  const taken = left.filter(({ record }) => !there.has(eventOf(record)));
  await refuseContested(tx, releaseDigest, taken);
  return taken.map(({ record, transactionIndex, anchor, evidenceSha256 }) => ({
    blockNumber: BigInt(record.blockNumber),
    blockHash: record.blockHash,
    transactionHash: record.transactionHash,
    transactionIndex,
    log: anchor,
    reason: 'IDENTITY_ALREADY_TAKEN' as const,
    detail: `token ${record.tokenAddress}, pool ${record.poolId} or its launch id has a row`,
    tokenAddress: record.tokenAddress,
    evidenceSha256,
  }));
}

/**
 * Refuses a row that another source contests in a block that is not final. That row may be dropped with its block, and
 * with it the reason to refuse: usually a reorg moved the launch, and one source has read its new block before the
 * other has left the old one.
 * @throws {ContestedError}
 */
async function refuseContested(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  launches: readonly LaunchRow[],
): Promise<void> {
  if (launches.length === 0) return;
  const open = await tx.launch.findFirst({
    where: {
      sequence: null,
      releaseDigest: { not: releaseDigest },
      OR: launches.flatMap(({ record: { chainId, tokenAddress, poolManager, poolId, sourceAddress, launchId } }) => [
        { chainId, tokenAddress },
        { chainId, poolManager, poolId },
        ...(launchId === null ? [] : [{ chainId, sourceAddress, launchId }]),
      ]),
    },
    select: {
      releaseDigest: true,
      tokenAddress: true,
      poolManager: true,
      poolId: true,
      sourceAddress: true,
      launchId: true,
      blockNumber: true,
    },
  });
  if (open === null) return;
  const { transactionHash, logIndex } = (launches.find(({ record }) => sharesIdentity(record, open)) ?? launches[0]!)
    .record;
  throw new ContestedError(
    `rows: source ${open.releaseDigest} has ${open.tokenAddress} in block ${open.blockNumber}, which is not final`,
    { transactionHash, logIndex },
  );
}

/** Checks whether two launches of one chain claim the same coin, pool or launch. */
const sharesIdentity = (
  record: LaunchRow['record'],
  other: Readonly<Record<'tokenAddress' | 'poolManager' | 'poolId' | 'sourceAddress', string>> & {
    readonly launchId: string | null;
  },
): boolean =>
  record.tokenAddress === other.tokenAddress ||
  (record.poolManager === other.poolManager && record.poolId === other.poolId) ||
  (record.launchId !== null && record.sourceAddress === other.sourceAddress && record.launchId === other.launchId);
