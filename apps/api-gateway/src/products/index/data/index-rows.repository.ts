import { Inject, Injectable } from '@nestjs/common';
import type {
  IndexedChain,
  LaunchRecord,
  PublishedHold,
  PublishedLaunch,
  PublishedQuarantine,
  PublishedSource,
  SourceVersion,
} from '@launch/contracts/index';
import type { Address, Sha256Digest } from '@launch/contracts/primitives';
import { CostlyReads } from './costly-reads.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';
import {
  ADMITTED,
  COIN,
  DISMISSED,
  HELD,
  HOLD_COUNTS,
  HOLDS,
  QUARANTINE,
  SOURCES,
  STAMPED,
  TAKEN,
  VERIFIED,
  type QuarantineCount,
} from './index-rows.sql.js';

/** Reads rows of the indexer's published views, which are a contract. */
@Injectable()
export class IndexRowsRepository {
  private readonly counting = new CostlyReads<readonly QuarantineCount[]>();
  private readonly dismissals = new CostlyReads<readonly PublishedQuarantine[]>();
  private readonly heldPlaces = new CostlyReads<readonly PublishedHold[]>();
  private readonly countingHolds = new CostlyReads<ReadonlyMap<Sha256Digest, number>>();

  constructor(@Inject(INDEX_DATABASE) private readonly database: IndexDatabase) {}

  /** Lists every binding that the indexer ever had, in a fixed order. */
  async sources(): Promise<readonly PublishedSource[]> {
    return this.database.query(SOURCES);
  }

  /** Counts quarantined events. Any log can be in quarantine, so strangers determine the cost. */
  quarantine(): Promise<readonly QuarantineCount[]> {
    return this.counting.recall('quarantine', () => this.database.query(QUARANTINE));
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
    return this.database.query(statement, [after, limit + 1, ...wanted]);
  }

  /** Lists every finalized launch that routers of a version stamped as a kind, up to a block, by its position on the chain. */
  async stamped(sourceKind: SourceVersion, kind: number, lastBlock: string): Promise<readonly PublishedLaunch[]> {
    return this.database.query(STAMPED, [sourceKind, kind, lastBlock]);
  }

  /** Finds the coin of a chain and address, including the provisional layer; null when absent. */
  async coin(chainId: IndexedChain, token: Address): Promise<PublishedLaunch | null> {
    const [row] = await this.database.query(COIN, [chainId, token]);
    return row ?? null;
  }

  /** Returns whether a digest is the one of a launch's verification document. */
  async isVerification(digest: Sha256Digest): Promise<boolean> {
    const [row] = await this.database.query(VERIFIED, [digest]);
    if (row === undefined) throw new TypeError('a query without a table answers one row');
    return row.verified;
  }

  /** Lists logs that operators dismissed, the newest blocks first. */
  dismissed(limit: number): Promise<readonly PublishedQuarantine[]> {
    return this.dismissals.recall(String(limit), () => this.database.query(DISMISSED, [limit]));
  }

  /** Returns whether sources emitted an event of this coin that is in quarantine because another row has its identity. */
  async hasTakenIdentity(releaseDigests: readonly Sha256Digest[], token: Address): Promise<boolean> {
    const [row] = await this.database.query(TAKEN, [releaseDigests, token]);
    if (row === undefined) throw new TypeError('a query without a table answers one row');
    return row.taken;
  }

  /** Lists holds of all sources, the newest blocks first. */
  holds(limit: number): Promise<readonly PublishedHold[]> {
    return this.heldPlaces.recall(String(limit), () => this.database.query(HOLDS, [limit]));
  }

  /** Counts the holds of each source with holds. Transactions of strangers can be held, too. */
  holdCounts(): Promise<ReadonlyMap<Sha256Digest, number>> {
    return this.countingHolds.recall('holds', async () => {
      const counts = await this.database.query(HOLD_COUNTS);
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
    return (await this.database.query(HELD, columns)).map(({ held }) => held);
  }
}
