import { Injectable } from '@nestjs/common';
import {
  bytes32Schema,
  checksummed,
  INDEX_STATUS_SCHEMA,
  type IndexedSource,
  type IndexStatus,
  type PublishedSource,
} from '@launch/contracts';
import { IndexRowsRepository, type QuarantineCount } from './index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';

/** The last block whose launches are admitted; null before the first checkpoint. */
function checkpointOf(source: PublishedSource): IndexedSource['checkpoint'] {
  const { checkpoint_number: number, checkpoint_hash: hash, checkpoint_at: at } = source;
  if (number === null || hash === null || at === null) return null;
  return { number, hash: bytes32Schema.parse(hash), confirmedAt: at.toISOString() };
}

/** Finalized blocks between the checkpoint and the last block that the source can have launches in. */
function lagOf({ document, finalized_head: head, checkpoint_number: checkpoint }: PublishedSource): string | null {
  if (head === null) return null;
  const { startBlock, endBlock } = document;
  const last = endBlock === null || BigInt(head) < BigInt(endBlock) ? BigInt(head) : BigInt(endBlock);
  const done = checkpoint === null ? BigInt(startBlock) - 1n : BigInt(checkpoint);
  return String(last > done ? last - done : 0n);
}

function quarantineOf(counts: readonly QuarantineCount[]): IndexedSource['quarantine'] {
  const sum = (some: readonly QuarantineCount[]): number => some.reduce((total, { count }) => total + count, 0);
  const standing = counts.filter(({ dismissed }) => !dismissed);
  return {
    total: sum(standing),
    byReason: Object.fromEntries(standing.map(({ reason, count }) => [reason, count])),
    dismissed: sum(counts.filter(({ dismissed }) => dismissed)),
  };
}

/** Where every source of the index stands, the refused ones among them (decisions 86, 87, 94). */
@Injectable()
export class IndexStatusService {
  constructor(
    private readonly index: IndexStateService,
    private readonly rows: IndexRowsRepository,
  ) {}

  async status(): Promise<IndexStatus> {
    const [{ sources }, counts] = await Promise.all([this.index.state(), this.rows.quarantine()]);
    const bySource = Map.groupBy(counts, ({ release_digest: digest }) => digest);
    return {
      schemaVersion: INDEX_STATUS_SCHEMA,
      ...this.index.freshness(sources),
      sources: sources.map((source) => this.sourceOf(source, bySource.get(source.release_digest) ?? [])),
    };
  }

  private sourceOf(source: PublishedSource, counts: readonly QuarantineCount[]): IndexedSource {
    const { document, release_digest: releaseDigest, status, state, state_reason: stateReason } = source;
    return {
      sourceVersion: document.sourceVersion,
      factoryVersion: document.factoryVersion,
      chainId: document.chainId,
      address: checksummed(document.address),
      releaseDigest,
      status,
      state,
      stateReason,
      freshness: this.index.freshness([source]).status,
      checkpoint: checkpointOf(source),
      finalizedHead: source.finalized_head,
      lagBlocks: lagOf(source),
      coverage: { from: document.startBlock, through: source.checkpoint_number },
      quarantine: quarantineOf(counts),
      observers: 2,
    };
  }
}
