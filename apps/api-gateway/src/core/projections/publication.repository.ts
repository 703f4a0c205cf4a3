import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { Session } from '@launch/prisma-api-gateway';
import { HOLD, INSERT, LOCK, RECORD_OF } from './publication.sql.js';

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
  await session.query(LOCK, [PUBLICATION_LOCK]);
}

/** Returns the record of a launch, or null. Call it under the lock. */
export async function recordOf(session: Session, launchId: string): Promise<string | null> {
  const [row] = await session.query(RECORD_OF, [launchId]);
  return row?.record ?? null;
}

/** Publishes a record under the next number. Call it under the lock. */
export async function insertRecord(session: Session, published: PublishedRecord): Promise<void> {
  const { launchId, onchainLaunchId, record, recordSha256, imageSha256, imageMediaType, feed } = published;
  await session.query(INSERT, [onchainLaunchId, launchId, record, recordSha256, imageSha256, imageMediaType, feed]);
}

/** Publishes the record of a custom launch or a plan, or holds it. Call it under the lock. */
export async function publishOrHold(session: Session, launchId: string, outcome: PublicationOutcome): Promise<void> {
  if ('record' in outcome) await insertRecord(session, outcome.record);
  else await session.query(HOLD, [launchId, outcome.recordSha256, outcome.quarantine]);
}
