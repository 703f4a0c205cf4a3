import { Inject, Injectable } from '@nestjs/common';
import {
  DISMISSALS_SHOWN,
  HOLDS_SHOWN,
  INDEX_STATUS_SCHEMA,
  type IndexedSource,
  type IndexStatus,
  type PublishedHold,
  type PublishedQuarantine,
  type PublishedSource,
} from '@launch/contracts/index';
import { bytes32Schema } from '@launch/contracts/primitives';
import { FeedRepository } from '../../../core/feeds/feed.repository.js';
import { HeldRecordsRepository } from '../../../core/feeds/held-records.repository.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import type { QuarantineCount } from '../data/index-rows.sql.js';
import { IndexStateService } from './index-state.service.js';

/** Returns the last block whose launches are admitted; null before the first checkpoint. */
function checkpointOf(source: PublishedSource): IndexedSource['checkpoint'] {
  const { checkpoint_number: number, checkpoint_hash: hash, checkpoint_at: at } = source;
  if (number === null || hash === null || at === null) return null;
  return { number, hash: bytes32Schema.parse(hash), confirmedAt: at.toISOString() };
}

/** Returns the number of finalized blocks between the checkpoint and the last block in which the source can have launches. */
function lagOf({ document, finalized_head: head, checkpoint_number: checkpoint }: PublishedSource): string | null {
  if (head === null) return null;
  const { startBlock, endBlock } = document;
  const last = endBlock === null || BigInt(head) < BigInt(endBlock) ? BigInt(head) : BigInt(endBlock);
  const done = checkpoint === null ? BigInt(startBlock) - 1n : BigInt(checkpoint);
  return String(last > done ? last - done : 0n);
}

function quarantineOf(
  counts: readonly QuarantineCount[],
  dismissed: readonly PublishedQuarantine[],
): IndexedSource['quarantine'] {
  const sum = (some: readonly QuarantineCount[]): number => some.reduce((total, { count }) => total + count, 0);
  const current = counts.filter((one) => !one.dismissed);
  return {
    total: sum(current),
    byReason: Object.fromEntries(current.map(({ reason, count }) => [reason, count])),
    dismissed: sum(counts.filter((one) => one.dismissed)),
    dismissals: dismissed.map((row) => ({
      blockHash: bytes32Schema.parse(row.block_hash),
      transactionHash: bytes32Schema.parse(row.transaction_hash),
      logIndex: row.log_index,
      reason: row.reason,
      dismissedReason: row.dismissed_reason ?? '',
    })),
  };
}

const holdsOf = (total: number, places: readonly PublishedHold[]): IndexedSource['holds'] => ({
  total,
  places: places.map((hold) => ({
    blockNumber: hold.block_number,
    transactionHash: hold.transaction_hash,
    subject: hold.subject,
    cause: hold.cause,
    reason: hold.reason,
    heldAt: hold.held_at.toISOString(),
    isReleased: hold.released_at !== null,
  })),
});

/** Serves the status of every source of the index, including refused ones (docs/reference/index-reads.md#developer-feed). */
@Injectable()
export class IndexStatusService {
  constructor(
    private readonly index: IndexStateService,
    @Inject(IndexRowsRepository) private readonly rows: Pick<
      IndexRowsRepository,
      'quarantine' | 'dismissed' | 'holds' | 'holdCounts'
    >,
    @Inject(FeedRepository) private readonly feed: Pick<FeedRepository, 'customLaunchCounters'>,
    @Inject(HeldRecordsRepository) private readonly held: Pick<HeldRecordsRepository, 'ofEthereum' | 'dismissed'>,
  ) {}

  async status(): Promise<IndexStatus> {
    const [{ sources }, counts, dismissed, holds, holdCounts, heldRecords, heldEthereumRecords] = await Promise.all([
      this.index.state(),
      this.rows.quarantine(),
      this.rows.dismissed(DISMISSALS_SHOWN),
      this.rows.holds(HOLDS_SHOWN),
      this.rows.holdCounts(),
      this.heldRecords(),
      this.heldEthereumRecords(),
    ]);
    const bySource = Map.groupBy(counts, ({ release_digest: digest }) => digest);
    const dismissedBySource = Map.groupBy(dismissed, ({ release_digest: digest }) => digest);
    const holdsBySource = Map.groupBy(holds, ({ release_digest: digest }) => digest);
    return {
      schemaVersion: INDEX_STATUS_SCHEMA,
      ...this.index.freshness(sources),
      sources: sources.map((source) => {
        const digest = source.release_digest;
        const quarantine = quarantineOf(bySource.get(digest) ?? [], dismissedBySource.get(digest) ?? []);
        return this.sourceOf(source, quarantine, holdsOf(holdCounts.get(digest) ?? 0, holdsBySource.get(digest) ?? []));
      }),
      heldRecords,
      heldEthereumRecords,
    };
  }

  private async heldRecords(): Promise<IndexStatus['heldRecords']> {
    const [{ quarantined }, dismissed] = await Promise.all([
      this.feed.customLaunchCounters(),
      this.held.dismissed('v4', DISMISSALS_SHOWN),
    ]);
    const dismissals = dismissed.map(({ onchainLaunchId, reason, dismissedReason, dismissedAt }) => ({
      routerLaunchId: onchainLaunchId === null ? null : bytes32Schema.parse(onchainLaunchId),
      reason,
      dismissedReason: dismissedReason ?? '',
      dismissedAt: (dismissedAt ?? new Date(0)).toISOString(),
    }));
    return { quarantined, dismissals };
  }

  private async heldEthereumRecords(): Promise<IndexStatus['heldEthereumRecords']> {
    const [quarantined, dismissed] = await Promise.all([
      this.held.ofEthereum(),
      this.held.dismissed('ethereum', DISMISSALS_SHOWN),
    ]);
    const dismissals = dismissed.map(({ name, blockHash, reason, dismissedReason, dismissedAt }) => {
      const [transactionHash, logIndex] = name.split('/');
      return {
        blockHash: bytes32Schema.parse(blockHash),
        transactionHash: bytes32Schema.parse(transactionHash),
        logIndex: Number(logIndex),
        reason,
        dismissedReason: dismissedReason ?? '',
        dismissedAt: (dismissedAt ?? new Date(0)).toISOString(),
      };
    });
    return { quarantined, dismissals };
  }

  private sourceOf(
    source: PublishedSource,
    quarantine: IndexedSource['quarantine'],
    holds: IndexedSource['holds'],
  ): IndexedSource {
    const { document, release_digest: releaseDigest, status, state, state_reason: stateReason } = source;
    return {
      sourceVersion: document.sourceVersion,
      factoryVersion: document.factoryVersion,
      chainId: document.chainId,
      address: document.address,
      releaseDigest,
      status,
      state,
      stateReason,
      freshness: this.index.freshness([source]).status,
      progressedAt: source.progressed_at.toISOString(),
      checkpoint: checkpointOf(source),
      finalizedHead: source.finalized_head,
      lagBlocks: lagOf(source),
      coverage: { from: document.startBlock, through: source.checkpoint_number },
      quarantine,
      holds,
      observers: 2,
    };
  }
}
