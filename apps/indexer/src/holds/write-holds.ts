import type { Sha256Digest } from '@launch/contracts/primitives';
import { execute } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { LaunchRow, QuarantineRow } from '../rows/index-rows.js';
import { columnOf, type Hold, type HoldRow } from './hold.repository.js';
import { SETTLE_UNREADABLE } from './write-holds.sql.js';

type Database = Pick<IndexerDatabase, 'hold' | '$executeRawUnsafe'>;

/** The first backoff of an unreadable place; later ones grow. */
export const FIRST_RETRY_MS = 15_000;

/** Inserts holds of the index; an existing one, above all an operator's, is unchanged. */
export async function insertHolds(
  database: Database,
  releaseDigest: Sha256Digest,
  rows: readonly HoldRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await database.hold.createMany({
    data: rows.map(({ blockNumber, transactionHash, subject, reason, timestamp }) => ({
      releaseDigest,
      blockNumber,
      transactionHash: columnOf(transactionHash),
      subject,
      cause: 'index',
      reason,
      blockTime: new Date(Number(timestamp) * 1_000),
      nextAttemptAt: new Date(Date.now() + FIRST_RETRY_MS),
    })),
    skipDuplicates: true,
  });
}

/** Ends a hold after its place was read. */
export const endHold = (
  database: Database,
  releaseDigest: Sha256Digest,
  { blockNumber, transactionHash, subject }: Hold,
): Promise<unknown> =>
  database.hold.deleteMany({
    where: { releaseDigest, blockNumber, transactionHash: columnOf(transactionHash), subject },
  });

/**
 * Appends a later reading's judgement to quarantined logs whose evidence was unreadable. Logs quarantined for another
 * reason keep their judgement, and so does one that is unreadable again.
 */
export async function settleUnreadable(
  database: Database,
  releaseDigest: Sha256Digest,
  launches: readonly LaunchRow[],
  quarantine: readonly QuarantineRow[],
): Promise<void> {
  const found = [
    ...launches.map(({ record: { transactionHash, blockHash, logIndex } }) => ({
      ...{ block_hash: blockHash, transaction_hash: transactionHash, log_index: logIndex },
      ...{ outcome: 'pass', reason: null, detail: 'it holds', token_address: null },
    })),
    ...quarantine
      .filter(({ reason }) => reason !== 'EVIDENCE_UNREADABLE')
      .map(({ transactionHash, blockHash, log, reason, detail, tokenAddress = null }) => ({
        ...{ block_hash: blockHash, transaction_hash: transactionHash, log_index: log.logIndex },
        ...{ outcome: 'fail', reason, detail, token_address: tokenAddress },
      })),
  ];
  if (found.length === 0) return;
  await execute(database, SETTLE_UNREADABLE, [releaseDigest, JSON.stringify(found)]);
}
