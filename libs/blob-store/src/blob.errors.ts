import { codedErrors } from '@launch/contracts/errors';

/**
 * The codes of a blob store's failures.
 * - `BLOB_ABSENT`: no such content. Writers store bytes before they name a digest, so this means a missing mount or
 * lost data, not a verdict.
 * - `BLOB_CORRUPT`: the stored bytes no longer hash to their name.
 * - `BLOB_TOO_LARGE`: more bytes than this store accepts.
 * - `BLOB_NAME_INVALID`: a digest or an owner that does not have the documented form.
 * - `BLOB_IO`: the file system or the object store refused; `data.errno` contains the reason.
 * - `BLOB_UNAVAILABLE`: the object store is temporarily unavailable; `data.errno` contains the reason.
 */
const RETRYABLE = {
  BLOB_ABSENT: true,
  BLOB_CORRUPT: false,
  BLOB_TOO_LARGE: false,
  BLOB_NAME_INVALID: false,
  BLOB_IO: true,
  BLOB_UNAVAILABLE: true,
} as const;
export type BlobErrorCode = keyof typeof RETRYABLE;

export type BlobErrorData = {
  readonly digest?: string;
  readonly byteLength?: number;
  readonly maxBytes?: number;
  readonly errno?: string;
};

/** The only error of this library. Its message names the code and the digest, never content or a path. */
export class BlobError extends codedErrors('BlobError', RETRYABLE) {
  constructor(
    code: BlobErrorCode,
    readonly data: BlobErrorData = {},
  ) {
    super(code, data.digest === undefined ? code : `${code} ${data.digest}`);
  }
}

/** Returns the errno name of a Node file system error, or undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Runs a file system step and converts its errors to `BLOB_IO`, so that no path leaves the library. */
export async function io<T>(digest: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof BlobError) throw error;
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new BlobError('BLOB_IO', { digest, errno });
  }
}
