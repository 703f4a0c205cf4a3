import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { LaunchRow, QuarantineRow } from '../rows/index-rows.js';
import { columnOf, type Hold, type HoldRow } from './hold.repository.js';

type Database = Pick<IndexerDatabase, 'hold' | '$executeRaw'>;

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
  await database.$executeRaw`
    INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
    SELECT last.release_digest, last.block_hash, last.transaction_hash, last.log_index, last.ordinal + 1, found.outcome, found.reason,
           found.detail, found.token_address
      FROM json_to_recordset(${JSON.stringify(found)}::json) AS found (
             block_hash text, transaction_hash text, log_index int, outcome text, reason text, detail text, token_address text)
     CROSS JOIN LATERAL (
       SELECT j.* FROM quarantine_judgements j
        WHERE j.release_digest = ${releaseDigest} AND j.block_hash = found.block_hash
          AND j.transaction_hash = found.transaction_hash AND j.log_index = found.log_index
        ORDER BY j.ordinal DESC LIMIT 1) AS last
     WHERE last.outcome = 'fail' AND last.reason = 'EVIDENCE_UNREADABLE'`;
}
