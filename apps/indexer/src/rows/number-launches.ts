import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { Place } from '../chain/chain-heads.js';

type Transaction = Pick<IndexerDatabase, 'admission' | '$queryRaw' | '$executeRaw'>;

/** Numbers the launches up to a final block, and moves the finalized checkpoint there. */
export async function admitThrough(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  { number, hash }: Place,
): Promise<void> {
  await numberThrough(tx, releaseDigest, number);
  await tx.$executeRaw`
    WITH kept AS (INSERT INTO checkpoints (release_digest, number, hash, finalized)
                  VALUES (${releaseDigest}, ${number}, ${hash}, true)
                  ON CONFLICT (release_digest, number) DO UPDATE SET finalized = true),
         gone AS (DELETE FROM checkpoints WHERE release_digest = ${releaseDigest} AND number < ${number})
    UPDATE sources SET checkpoint_number = ${number}, checkpoint_hash = ${hash}, checkpoint_at = ${new Date()}, progressed_at = now()
     WHERE release_digest = ${releaseDigest}`;
}

/**
 * Locks the one row of `admission` until the commit, so that numbers become visible in order: a reader that passed a
 * number never meets a smaller one later.
 */
export async function numberThrough(tx: Transaction, releaseDigest: Sha256Digest, through: bigint): Promise<void> {
  const [{ due }] = await tx.$queryRaw<[{ due: number }]>`
    WITH shown AS (UPDATE quarantine SET finalized = true
                    WHERE release_digest = ${releaseDigest} AND NOT finalized AND block_number <= ${through})
    SELECT count(*)::int AS due FROM launches
     WHERE release_digest = ${releaseDigest} AND sequence IS NULL AND block_number <= ${through}`;
  if (due === 0) return;
  const { last } = await tx.admission.update({ where: { one: true }, data: { last: { increment: due } } });
  await tx.$executeRaw`
    WITH due AS (
      SELECT id, row_number() OVER (ORDER BY block_number, transaction_index, log_index) AS place FROM launches
       WHERE release_digest = ${releaseDigest} AND sequence IS NULL AND block_number <= ${through})
    UPDATE launches SET sequence = ${last - BigInt(due)} + due.place, finality_stage = 'ethereum_finalized', admitted_at = now()
      FROM due WHERE launches.id = due.id`;
}
