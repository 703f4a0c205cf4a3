import { Inject, Injectable } from '@nestjs/common';
import {
  publishedLaunchSchema,
  publishedQuarantineSchema,
  publishedSourceSchema,
  type Address,
  type IndexedChain,
  type PublishedLaunch,
  type PublishedQuarantine,
  type PublishedSource,
  type Sha256Digest,
  type SourceVersion,
} from '@launch/contracts';
import { z } from 'zod';
import { INDEX_DATABASE } from '../tokens.js';
import { CostlyReads } from './costly-reads.js';
import type { IndexDatabase } from './index-database.js';

const LAUNCH = `SELECT sequence, finality_stage, transaction_index, record, metadata FROM published.launch`;
const SOURCES = `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at FROM published.source ORDER BY chain_id, address, release_digest`;
const AFTER = `${LAUNCH} WHERE sequence > $1`;
const IN_ORDER = 'ORDER BY sequence LIMIT $2';
/** One statement a filter: of one statement for all PostgreSQL may keep a plan that reads every launch to find a few. */
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

const quarantineCounts = z.array(
  publishedQuarantineSchema
    .pick({ release_digest: true, reason: true })
    .extend({ dismissed: z.boolean(), count: z.number().int() }),
);
/** Quarantined events of a source, by their reason and whether an operator dismissed them. */
export type QuarantineCount = z.infer<typeof quarantineCounts>[number];
const launches = z.array(publishedLaunchSchema);
const sources = z.array(publishedSourceSchema);

/** Rows of what the indexer publishes, parsed: its views are a contract. */
@Injectable()
export class IndexRowsRepository {
  private readonly counting = new CostlyReads<readonly QuarantineCount[]>();
  private readonly dismissals = new CostlyReads<readonly PublishedQuarantine[]>();

  constructor(@Inject(INDEX_DATABASE) private readonly database: IndexDatabase) {}

  /** Every binding that the indexer was ever given, in a fixed order. */
  async sources(): Promise<readonly PublishedSource[]> {
    return sources.parse(await this.database.query(SOURCES));
  }

  /** Any log can be in quarantine, so that strangers decide what counting them costs. */
  quarantine(): Promise<readonly QuarantineCount[]> {
    return this.counting.recall('quarantine', async () =>
      quarantineCounts.parse(await this.database.query(QUARANTINE)),
    );
  }

  /** Finalized launches in the order of their admission, after a sequence number; one row more than `limit` when there is more. */
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

  /** Every finalized launch that routers of a version stamped as a kind, up to a block, by its place on the chain. */
  async stamped(sourceKind: SourceVersion, kind: number, lastBlock: string): Promise<readonly PublishedLaunch[]> {
    return launches.parse(await this.database.query(STAMPED, [sourceKind, kind, lastBlock]));
  }

  /** The coin of a chain and address, of the provisional layer too; null for none. */
  async coin(chainId: IndexedChain, token: Address): Promise<PublishedLaunch | null> {
    return launches.parse(await this.database.query(COIN, [chainId, token]))[0] ?? null;
  }

  /** Logs that operators dismissed, the newest blocks first. */
  dismissed(limit: number): Promise<readonly PublishedQuarantine[]> {
    return this.dismissals.recall(String(limit), async () =>
      quarantined.parse(await this.database.query(DISMISSED, [limit])),
    );
  }

  /** Whether sources emitted an event of this coin that is in quarantine because another row has its identity. */
  async hasTakenIdentity(releaseDigests: readonly Sha256Digest[], token: Address): Promise<boolean> {
    const [{ taken }] = takenSchema.parse(await this.database.query(TAKEN, [releaseDigests, token]));
    return taken;
  }
}
