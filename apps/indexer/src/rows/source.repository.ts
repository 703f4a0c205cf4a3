import type { IndexSource, IndexState } from '@launch/contracts/index';
import type { SourceBinding, IndexStanding } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { Binding } from '../bindings/read-bindings.js';
import type { Place } from '../chain/chain-heads.js';

/** A source as its row says. */
export interface SourceRow {
  readonly releaseDigest: Sha256Digest;
  readonly source: IndexSource;
  readonly state: IndexState;
  readonly stateReason: string | null;
  /** When the source last wrote a range, or had nothing left to read. */
  readonly progressedAt: Date;
  /** The last block whose launches are admitted. */
  readonly checkpoint: bigint | null;
  readonly checkpointAt: Date | null;
  readonly finalizedHead: bigint | null;
  /** The last block that was read. */
  readonly position: Place | null;
  readonly hasHolds: boolean;
  /** When a held place is next to be read again; null for none. */
  readonly nextRetryAt: Date | null;
  /** Blocks that an operator has read again: the next one, and the last. */
  readonly rescan: { readonly next: bigint; readonly last: bigint } | null;
}

export interface KeptCheckpoint extends Place {
  readonly finalized: boolean;
}

/** What a step came to, beside the rows. */
export interface SourceMark {
  readonly state: IndexState;
  readonly reason: string | null;
  readonly finalizedHead: bigint | null;
  /** The checkpoint is the newest that can be: it is fresh again. */
  readonly isCurrent: boolean;
  /** There was nothing left to read. */
  readonly isAtHead: boolean;
}

export interface SourceRepository {
  /** Adds bindings that are new, and takes over what the deployment says of all. None is edited or removed. */
  put(bindings: readonly Binding[]): Promise<void>;
  /** Every binding that was ever given. */
  all(): Promise<readonly SourceBinding[]>;
  /** Null for one that was never given. */
  find(releaseDigest: Sha256Digest): Promise<SourceRow | null>;
  /** Ends of committed ranges, the lowest first; the first is the finalized one, where there is one. */
  checkpoints(releaseDigest: Sha256Digest): Promise<readonly KeptCheckpoint[]>;
  mark(releaseDigest: Sha256Digest, mark: SourceMark): Promise<void>;
  standing(releaseDigest: Sha256Digest): Promise<IndexStanding>;
  /** Blocks from one on are read again up to the checkpoint; an earlier wish that is under way is widened. */
  requestRescan(releaseDigest: Sha256Digest, from: bigint): Promise<void>;
}

/** A source's row beside its last checkpoint. */
interface FoundRow extends Omit<SourceRow, 'releaseDigest' | 'source' | 'position' | 'rescan'> {
  readonly document: IndexSource;
  readonly next: bigint | null;
  readonly last: bigint | null;
  readonly number: bigint | null;
  readonly hash: Place['hash'] | null;
}

/** Null for none. */
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
      // One question, asked at every look at every source: Prisma makes two of the row and its last checkpoint.
      const [row] = await database.$queryRaw<FoundRow[]>`
        SELECT document, state, state_reason AS "stateReason", checkpoint_number AS checkpoint,
               checkpoint_at AS "checkpointAt", progressed_at AS "progressedAt", finalized_head AS "finalizedHead", rescan_next AS next, rescan_last AS last,
               read.number, read.hash, held.is_there AS "hasHolds", held.next AS "nextRetryAt"
          FROM sources CROSS JOIN LATERAL (
            SELECT EXISTS (SELECT FROM holds WHERE holds.release_digest = sources.release_digest AND subject = 'launches') AS is_there,
                   (SELECT min(next_attempt_at) FROM holds WHERE holds.release_digest = sources.release_digest) AS next) AS held
          LEFT JOIN LATERAL (
            SELECT number, hash FROM checkpoints WHERE checkpoints.release_digest = sources.release_digest
             ORDER BY number DESC LIMIT 1) AS read ON true
         WHERE release_digest = ${releaseDigest}`;
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
        position: number === null || hash === null ? null : { number, hash },
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

    async standing(releaseDigest) {
      const [row, launches, [quarantined]] = await Promise.all([
        database.source.findUniqueOrThrow({ where: { releaseDigest } }),
        database.launch.count({ where: { releaseDigest, sequence: { not: null } } }),
        database.$queryRaw<[{ count: number }]>`
          SELECT count(*)::int AS count FROM published.quarantine
           WHERE release_digest = ${releaseDigest} AND dismissed_reason IS NULL`,
      ]);
      return {
        state: row.state as IndexState,
        reason: row.stateReason,
        checkpoint: row.checkpointNumber?.toString() ?? null,
        launches,
        quarantined: quarantined.count,
      };
    },

    async requestRescan(releaseDigest, from) {
      await database.$executeRaw`
        UPDATE sources SET rescan_next = LEAST(rescan_next, ${from}), rescan_last = checkpoint_number, updated_at = now()
         WHERE release_digest = ${releaseDigest} AND checkpoint_number >= ${from}`;
    },
  };
}
