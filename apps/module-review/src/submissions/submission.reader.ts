import type { BlobReader } from '@launch/blob-store';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ThreadError, ThreadPool, type Logger } from '@launch/platform';
import { ReviewError } from '../review.repository.js';
import { readSubmission, type ReadSubmission } from './read-submission.js';

export interface SubmissionQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly requestDigest: Sha256Digest;
}

export interface SubmissionReader {
  /** @throws ReviewError `REVIEW_INPUT_UNREADABLE`; BlobError; ThreadError while too many wait. */
  read(requestDigest: Sha256Digest): Promise<ReadSubmission>;
  close(): Promise<void>;
}

export interface SubmissionReaderOptions {
  readonly blobs: BlobReader;
  readonly logger: Logger;
  /** The module that a thread runs; defaults to the reader beside this module. */
  readonly script?: URL;
  /** Maximum bytes of a request that is read in the caller's thread. Defaults to 64 KiB. */
  readonly inlineBytes?: number;
}

/** A lineage has up to 256 submissions, and a decision reads each. */
const KEPT = 1_024;
const BOUNDS = { threads: 1, maxWaiting: 64, timeoutMs: 60_000, memoryMb: 1_024 } as const;

/**
 * Reads each submission once, large ones in a thread, so that the worker heartbeats and answers its health checks
 * meanwhile. Caches a small part of each.
 */
export function createSubmissionReader({
  blobs,
  logger,
  script,
  inlineBytes = 64 * 1024,
}: SubmissionReaderOptions): SubmissionReader {
  const kept = new Map<Sha256Digest, ReadSubmission>();
  const pool = new ThreadPool<SubmissionQuestion, ReadSubmission | null>({
    ...BOUNDS,
    script: script ?? new URL('./submission.worker.js', import.meta.url),
    onFailure: (error) => logger.error({ err: error }, 'a thread that reads submissions failed'),
  });

  async function readOf(bytes: Uint8Array, requestDigest: Sha256Digest): Promise<ReadSubmission | null> {
    if (bytes.length <= inlineBytes) return readSubmission(bytes, requestDigest);
    const own = new Uint8Array(bytes);
    try {
      return await pool.ask({ bytes: own, requestDigest }, [own.buffer]);
    } catch (error) {
      if (error instanceof ThreadError && (error.reason === 'timeout' || error.reason === 'memory'))
        throw new ReviewError('REVIEW_INPUT_UNREADABLE', `the submission takes too much ${error.reason} to read`);
      throw error;
    }
  }

  return {
    async read(requestDigest) {
      const known = kept.get(requestDigest);
      if (known !== undefined) return known;
      const read = await readOf(await blobs.get(requestDigest), requestDigest);
      if (read === null) throw new ReviewError('REVIEW_INPUT_UNREADABLE', 'the submission is no module submission');
      kept.set(requestDigest, read);
      if (kept.size > KEPT) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
      return read;
    },
    close: () => pool.close(),
  };
}
