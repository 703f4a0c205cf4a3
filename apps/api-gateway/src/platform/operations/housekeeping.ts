import type { BlobStore } from '@launch/blob-store';
import type { Logger } from '@launch/platform';

const EVERY_MS = 10 * 60_000;
/** A preflight lives a minute; an older one belongs to a process that died. */
const TEMPORARY_BLOB_MS = 30 * 60_000;

/** A table that deletes its own obsolete rows. */
export interface Sweepable {
  sweep(): Promise<void>;
}

/** Periodically removes the blobs and rows that killed processes left behind. @returns a function that stops it. */
export function startHousekeeping(blobs: BlobStore, tables: readonly Sweepable[], logger: Logger): () => void {
  const tidy = async (): Promise<void> => {
    try {
      await blobs.sweep(TEMPORARY_BLOB_MS);
      for (const table of tables) await table.sweep();
    } catch (error) {
      logger.warn({ err: error }, 'housekeeping failed and will be retried');
    }
  };
  const timer = setInterval(() => void tidy(), EVERY_MS);
  timer.unref();
  void tidy();
  return () => clearInterval(timer);
}
