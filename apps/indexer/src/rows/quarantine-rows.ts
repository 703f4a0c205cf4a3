import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import { searchText, type QuarantineRow } from './index-rows.js';

type Database = Pick<IndexerDatabase, 'launch' | 'quarantine' | 'quarantineJudgement' | 'source'>;

/** Returns the key of the log that identifies a launch's place. */
export const eventOf = ({ transactionHash, logIndex }: { transactionHash: string; logIndex: number }): string =>
  `${transactionHash}/${logIndex}`;

/** Skips indexed launches that are unreadable this time, because they were judged before. */
export async function withoutIndexed(
  tx: Database,
  releaseDigest: Sha256Digest,
  rows: readonly QuarantineRow[],
): Promise<readonly QuarantineRow[]> {
  const unread = rows.filter(({ reason }) => reason === 'EVIDENCE_UNREADABLE');
  if (unread.length === 0) return rows;
  const transactionHash = { in: [...new Set(unread.map((row) => row.transactionHash))] };
  const select = { transactionHash: true, logIndex: true } as const;
  const indexed = new Set(
    (await tx.launch.findMany({ where: { releaseDigest, transactionHash }, select })).map(eventOf),
  );
  const isIndexed = ({ transactionHash: hash, log: { logIndex } }: QuarantineRow): boolean =>
    indexed.has(eventOf({ transactionHash: hash, logIndex }));
  return rows.filter((row) => row.reason !== 'EVIDENCE_UNREADABLE' || !isIndexed(row));
}

/** Writes logs that are not launches, each with its judgement; an existing one is unchanged. */
export async function insertQuarantine(
  tx: Database,
  releaseDigest: Sha256Digest,
  rows: readonly QuarantineRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { chainId } = await tx.source.findUniqueOrThrow({ where: { releaseDigest }, select: { chainId: true } });
  const created = await tx.quarantine.createManyAndReturn({
    data: rows.map(({ log, reason: _reason, detail: _detail, tokenAddress: _token, ...row }) => ({
      releaseDigest,
      chainId,
      ...row,
      logIndex: log.logIndex,
      rawLog: { ...log, topics: [...log.topics] },
    })),
    skipDuplicates: true,
    select: { transactionHash: true, logIndex: true },
  });
  const fresh = new Set(created.map(eventOf));
  await tx.quarantineJudgement.createMany({
    data: rows
      .filter(({ transactionHash, log }) => fresh.has(eventOf({ transactionHash, logIndex: log.logIndex })))
      .map(({ blockHash, transactionHash, log, reason, detail, tokenAddress = null }) => ({
        releaseDigest,
        blockHash,
        transactionHash,
        logIndex: log.logIndex,
        ordinal: 0,
        outcome: 'fail',
        reason,
        detail: searchText(detail) ?? '',
        tokenAddress,
      })),
  });
}
