import type { IndexSource, IndexState } from '@launch/contracts/index';
import type { SourceBinding, IndexProgress } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { execute, queryRows } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { Binding } from '../bindings/read-bindings.js';
import type { Place } from '../chain/chain-heads.js';
import { COUNT_QUARANTINED, FIND, REQUEST_RESCAN } from './source.sql.js';

/** A source's row. */
export interface SourceRow {
  readonly releaseDigest: Sha256Digest;
  readonly source: IndexSource;
  readonly state: IndexState;
  readonly stateReason: string | null;
  /** The time when the source last wrote a range or had no block left to read. */
  readonly progressedAt: Date;
  /** The last block with admitted launches. */
  readonly checkpoint: bigint | null;
  readonly checkpointAt: Date | null;
  readonly finalizedHead: bigint | null;
  /** The last read block. */
  readonly position: Place | null;
  readonly hasHolds: boolean;
  /** The time when the next held place is due; null if none is. */
  readonly nextRetryAt: Date | null;
  /** Blocks that an operator has requested again: the next one, and the last. */
  readonly rescan: { readonly next: bigint; readonly last: bigint } | null;
}

export interface KeptCheckpoint extends Place {
  readonly finalized: boolean;
}

/** The outcome of a step besides the rows. */
export interface SourceMark {
  readonly state: IndexState;
  readonly reason: string | null;
  readonly finalizedHead: bigint | null;
  /** The checkpoint is the newest possible, so it is confirmed as fresh. */
  readonly isCurrent: boolean;
  /** No block was left to read. */
  readonly isAtHead: boolean;
}

export interface SourceRepository {
  /** Adds new bindings, and applies the deployment's settings to all. Never edits or removes a binding. */
  put(bindings: readonly Binding[]): Promise<void>;
  /** Returns every binding ever stored. */
  all(): Promise<readonly SourceBinding[]>;
  /** Returns null for an unknown source. */
  find(releaseDigest: Sha256Digest): Promise<SourceRow | null>;
  /** Returns ends of committed ranges, the lowest first; the first is the finalized one, if there is one. */
  checkpoints(releaseDigest: Sha256Digest): Promise<readonly KeptCheckpoint[]>;
  mark(releaseDigest: Sha256Digest, mark: SourceMark): Promise<void>;
  progress(releaseDigest: Sha256Digest): Promise<IndexProgress>;
  /** Requests that blocks from one up to the checkpoint be read again; widens a request in progress. */
  requestRescan(releaseDigest: Sha256Digest, from: bigint): Promise<void>;
}

/** Returns null without a checkpoint. */
export const placeOf = (checkpoint: { readonly number: bigint; readonly hash: string } | undefined): Place | null =>
  checkpoint === undefined ? null : { number: checkpoint.number, hash: checkpoint.hash as Place['hash'] };

export function createSourceRepository(database: IndexerDatabase): SourceRepository {
  return {
    async put(bindings) {
      await database.source.createMany({
        data: bindings.map(({ releaseDigest, source, status }) => ({
          releaseDigest,
          chainId: source.chainId,
          address: source.address,
          sourceVersion: source.sourceVersion,
          document: source,
          status,
        })),
        skipDuplicates: true,
      });
      for (const { releaseDigest, status } of bindings)
        await database.source.updateMany({ where: { releaseDigest, status: { not: status } }, data: { status } });
    },

    async all() {
      const rows = await database.source.findMany({
        orderBy: { releaseDigest: 'asc' },
        select: { chainId: true, address: true, releaseDigest: true, sourceVersion: true },
      });
      return rows as unknown as SourceBinding[];
    },

    async find(releaseDigest) {
      const [row] = await queryRows(database, FIND, [releaseDigest]);
      if (row === undefined) return null;
      const {
        document,
        state,
        stateReason,
        progressedAt,
        checkpoint,
        checkpointAt,
        finalizedHead,
        next,
        last,
        number,
        hash,
      } = row;
      const { hasHolds, nextRetryAt } = row;
      return {
        releaseDigest,
        source: document,
        state,
        stateReason,
        progressedAt,
        checkpoint,
        checkpointAt,
        finalizedHead,
        position: number === null || hash === null ? null : placeOf({ number, hash }),
        hasHolds,
        nextRetryAt,
        rescan: next === null || last === null ? null : { next, last },
      };
    },

    async checkpoints(releaseDigest) {
      const rows = await database.checkpoint.findMany({ where: { releaseDigest }, orderBy: { number: 'asc' } });
      return rows.map(({ number, hash, finalized }) => ({ number, hash: hash as Place['hash'], finalized }));
    },

    async mark(releaseDigest, { state, reason, finalizedHead, isCurrent, isAtHead }) {
      const now = new Date();
      await database.source.update({
        where: { releaseDigest },
        data: {
          state,
          stateReason: reason,
          ...(finalizedHead === null ? {} : { finalizedHead }),
          ...(isCurrent ? { checkpointAt: now } : {}),
          ...(isAtHead ? { progressedAt: now } : {}),
          updatedAt: now,
        },
      });
    },

    async progress(releaseDigest) {
      const [row, launches, [quarantined]] = await Promise.all([
        database.source.findUniqueOrThrow({ where: { releaseDigest } }),
        database.launch.count({ where: { releaseDigest, sequence: { not: null } } }),
        queryRows(database, COUNT_QUARANTINED, [releaseDigest]),
      ]);
      return {
        state: row.state as IndexState,
        reason: row.stateReason,
        checkpoint: row.checkpointNumber?.toString() ?? null,
        launches,
        quarantined: quarantined?.count ?? 0,
      };
    },

    async requestRescan(releaseDigest, from) {
      await execute(database, REQUEST_RESCAN, [releaseDigest, from]);
    },
  };
}
