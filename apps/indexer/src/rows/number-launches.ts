import type { Sha256Digest } from '@launch/contracts/primitives';
import { execute, queryRows } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { Place } from '../chain/chain-heads.js';
import { COUNT_DUE, MOVE_CHECKPOINT, NUMBER } from './number-launches.sql.js';

type Transaction = Pick<IndexerDatabase, 'admission' | '$queryRawUnsafe' | '$executeRawUnsafe'>;

/** Numbers the launches up to a final block, and moves the finalized checkpoint there. */
export async function admitThrough(
  tx: Transaction,
  releaseDigest: Sha256Digest,
  { number, hash }: Place,
): Promise<void> {
  await numberThrough(tx, releaseDigest, number);
  await execute(tx, MOVE_CHECKPOINT, [releaseDigest, number, hash, new Date()]);
}

/**
 * Locks the one row of `admission` until the commit, so that numbers become visible in order: a reader that passed a
 * number never meets a smaller one later.
 */
export async function numberThrough(tx: Transaction, releaseDigest: Sha256Digest, through: bigint): Promise<void> {
  const [counted] = await queryRows(tx, COUNT_DUE, [releaseDigest, through]);
  const due = counted?.due ?? 0;
  if (due === 0) return;
  const { last } = await tx.admission.update({ where: { one: true }, data: { last: { increment: due } } });
  await execute(tx, NUMBER, [releaseDigest, through, last - BigInt(due)]);
}
