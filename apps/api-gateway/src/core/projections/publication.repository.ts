import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { Session } from '@launch/prisma-api-gateway';

/** Serialises publications, so that their numbers follow their commits. */
const PUBLICATION_LOCK = 7_461_190_233;

/** The public feeds. */
export type FeedName = 'multi-role.v2' | 'multi-role.v3' | 'custom-launch.v4';

/** A record as it is published. */
export interface PublishedRecord {
  readonly launchId: string;
  readonly onchainLaunchId: Hex;
  readonly record: string;
  readonly recordSha256: Sha256Digest;
  readonly imageSha256: Sha256Digest;
  readonly imageMediaType: string;
  readonly feed: FeedName;
}

/** The outcome for a record: published, or held with the reason. */
export type PublicationOutcome =
  | { readonly record: PublishedRecord }
  | { readonly recordSha256: Sha256Digest; readonly quarantine: string };

/** Blocks every other publication until the end of the transaction, so that numbers become visible in order. */
export async function lockPublications(session: Session): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [PUBLICATION_LOCK]);
}

/** Returns the record of a launch, or null. Call it under the lock. */
export async function recordOf(session: Session, launchId: string): Promise<string | null> {
  const [row] = await session.query<{ record: string }>('SELECT record FROM finalized_record WHERE launch_id = $1', [
    launchId,
  ]);
  return row?.record ?? null;
}

/** Publishes a record under the next number. Call it under the lock. */
export async function insertRecord(session: Session, published: PublishedRecord): Promise<void> {
  const { launchId, onchainLaunchId, record, recordSha256, imageSha256, imageMediaType, feed } = published;
  await session.query(
    `INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, feed)
     SELECT coalesce(max(publication_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM finalized_record`,
    [onchainLaunchId, launchId, record, recordSha256, imageSha256, imageMediaType, feed],
  );
}

/** Publishes the record of a custom launch or a plan, or holds it. Call it under the lock. */
export async function publishOrHold(session: Session, launchId: string, outcome: PublicationOutcome): Promise<void> {
  if ('record' in outcome) await insertRecord(session, outcome.record);
  else
    await session.query(
      `INSERT INTO quarantined_record (launch_id, feed, record_sha256, reason) VALUES ($1, 'custom-launch.v4', $2, $3)`,
      [launchId, outcome.recordSha256, outcome.quarantine],
    );
}
