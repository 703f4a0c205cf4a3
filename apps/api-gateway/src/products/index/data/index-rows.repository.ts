import { Inject, Injectable } from '@nestjs/common';
import {
  publishedHoldSchema,
  publishedLaunchSchema,
  publishedQuarantineSchema,
  publishedSourceSchema,
  type IndexedChain,
  type LaunchRecord,
  type PublishedHold,
  type PublishedLaunch,
  type PublishedQuarantine,
  type PublishedSource,
  type SourceVersion,
} from '@launch/contracts/index';
import type { Address, Sha256Digest } from '@launch/contracts/primitives';
import { z } from 'zod';
import { CostlyReads } from './costly-reads.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';

const LAUNCH = `SELECT sequence, finality_stage, transaction_index, record, metadata FROM published.launch`;
const SOURCES = `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at, progressed_at, has_holds, lacks_trades FROM published.source ORDER BY chain_id, address, release_digest`;
const AFTER = `${LAUNCH} WHERE sequence > $1`;
const IN_ORDER = 'ORDER BY sequence LIMIT $2';
/** One statement for each filter: for one statement of all, PostgreSQL may cache a plan that reads every launch to find a few. */
const ADMITTED = {
  all: `${AFTER} ${IN_ORDER}`,
  ofChain: `${AFTER} AND chain_id = $3 ${IN_ORDER}`,
  ofKind: `${AFTER} AND source_kind = $3 ${IN_ORDER}`,
  ofBoth: `${AFTER} AND chain_id = $3 AND source_kind = $4 ${IN_ORDER}`,
} as const;
const STAMPED = `${LAUNCH} WHERE source_kind = $1 AND launch_kind = $2 AND sequence IS NOT NULL AND block_number <= $3
  ORDER BY block_number, log_index`;
const COIN = `${LAUNCH} WHERE chain_id = $1 AND token_address = $2`;

const QUARANTINE = `SELECT release_digest, reason, dismissed_reason IS NOT NULL AS dismissed, count(*)::int AS count FROM published.quarantine
  GROUP BY release_digest, reason, dismissed ORDER BY release_digest, reason, dismissed`;

const DISMISSED = `SELECT release_digest, block_number, block_hash, transaction_hash, log_index, reason, dismissed_reason FROM published.quarantine
  WHERE dismissed_reason IS NOT NULL ORDER BY block_number DESC, chain_id, log_index LIMIT $1`;
const quarantined = z.array(publishedQuarantineSchema);
const TAKEN = `SELECT EXISTS (SELECT FROM published.claim WHERE release_digest = ANY($1) AND token_address = $2) AS taken`;
const takenSchema = z.tuple([z.object({ taken: z.boolean() })]);

const HOLDS = `SELECT release_digest, block_number, transaction_hash, subject, cause, reason, held_at, released_at FROM published.hold
  ORDER BY block_number DESC, chain_id, transaction_hash NULLS FIRST, subject LIMIT $1`;
const HOLD_COUNTS = `SELECT release_digest, count(*)::int AS count FROM published.hold GROUP BY release_digest`;
const HELD = `SELECT EXISTS (SELECT FROM published.hold h WHERE h.release_digest = coin.release_digest AND h.subject = 'launches'
    AND (h.transaction_hash = coin.transaction_hash OR (h.transaction_hash IS NULL AND h.block_number = coin.block_number))) AS held
  FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS coin(release_digest, block_number, transaction_hash, n) ORDER BY n`;
const holds = z.array(publishedHoldSchema);
const holdCounts = z.array(publishedHoldSchema.pick({ release_digest: true }).extend({ count: z.number().int() }));
const heldSchema = z.array(z.object({ held: z.boolean() }));

const quarantineCounts = z.array(
  publishedQuarantineSchema
    .pick({ release_digest: true, reason: true })
    .extend({ dismissed: z.boolean(), count: z.number().int() }),
);
/** Quarantined events of a source, by reason and dismissal. */
export type QuarantineCount = z.infer<typeof quarantineCounts>[number];
const launches = z.array(publishedLaunchSchema);
const sources = z.array(publishedSourceSchema);

/** Reads and parses rows of the indexer's published views, which are a contract. */
@Injectable()
export class IndexRowsRepository {
  private readonly counting = new CostlyReads<readonly QuarantineCount[]>();
  private readonly dismissals = new CostlyReads<readonly PublishedQuarantine[]>();
  private readonly heldPlaces = new CostlyReads<readonly PublishedHold[]>();
  private readonly countingHolds = new CostlyReads<ReadonlyMap<Sha256Digest, number>>();

  constructor(@Inject(INDEX_DATABASE) private readonly database: IndexDatabase) {}

  /** Lists every binding that the indexer ever had, in a fixed order. */
  async sources(): Promise<readonly PublishedSource[]> {
    return sources.parse(await this.database.query(SOURCES));
  }

  /** Counts quarantined events. Any log can be in quarantine, so strangers determine the cost. */
  quarantine(): Promise<readonly QuarantineCount[]> {
    return this.counting.recall('quarantine', async () =>
      quarantineCounts.parse(await this.database.query(QUARANTINE)),
    );
  }

  /** Lists finalized launches in the order of admission, after a sequence number; one row more than `limit` when more follow. */
  async admitted(
    after: string,
    { chainId, sourceKind }: { readonly chainId: IndexedChain | null; readonly sourceKind: SourceVersion | null },
    limit: number,
  ): Promise<readonly PublishedLaunch[]> {
    const wanted = [chainId, sourceKind].filter((value) => value !== null);
    const statement =
      wanted.length === 2
        ? ADMITTED.ofBoth
        : chainId !== null
          ? ADMITTED.ofChain
          : sourceKind !== null
            ? ADMITTED.ofKind
            : ADMITTED.all;
    return launches.parse(await this.database.query(statement, [after, limit + 1, ...wanted]));
  }

  /** Lists every finalized launch that routers of a version stamped as a kind, up to a block, by its position on the chain. */
  async stamped(sourceKind: SourceVersion, kind: number, lastBlock: string): Promise<readonly PublishedLaunch[]> {
    return launches.parse(await this.database.query(STAMPED, [sourceKind, kind, lastBlock]));
  }

  /** Finds the coin of a chain and address, including the provisional layer; null when absent. */
  async coin(chainId: IndexedChain, token: Address): Promise<PublishedLaunch | null> {
    return launches.parse(await this.database.query(COIN, [chainId, token]))[0] ?? null;
  }

  /** Lists logs that operators dismissed, the newest blocks first. */
  dismissed(limit: number): Promise<readonly PublishedQuarantine[]> {
    return this.dismissals.recall(String(limit), async () =>
      quarantined.parse(await this.database.query(DISMISSED, [limit])),
    );
  }

  /** Returns whether sources emitted an event of this coin that is in quarantine because another row has its identity. */
  async hasTakenIdentity(releaseDigests: readonly Sha256Digest[], token: Address): Promise<boolean> {
    const [{ taken }] = takenSchema.parse(await this.database.query(TAKEN, [releaseDigests, token]));
    return taken;
  }

  /** Lists holds of all sources, the newest blocks first. */
  holds(limit: number): Promise<readonly PublishedHold[]> {
    return this.heldPlaces.recall(String(limit), async () => holds.parse(await this.database.query(HOLDS, [limit])));
  }

  /** Counts the holds of each source with holds. Transactions of strangers can be held, too. */
  holdCounts(): Promise<ReadonlyMap<Sha256Digest, number>> {
    return this.countingHolds.recall('holds', async () => {
      const counts = holdCounts.parse(await this.database.query(HOLD_COUNTS));
      return new Map(counts.map(({ release_digest: digest, count }) => [digest, count]));
    });
  }

  /** Returns, for each launch in order, whether a hold covers it. */
  async areHeld(records: readonly LaunchRecord[]): Promise<readonly boolean[]> {
    if (records.length === 0) return [];
    const columns = [
      records.map(({ sourceReleaseDigest }) => sourceReleaseDigest),
      records.map(({ blockNumber }) => blockNumber),
      records.map(({ transactionHash }) => transactionHash),
    ];
    return heldSchema.parse(await this.database.query(HELD, columns)).map(({ held }) => held);
  }
}
