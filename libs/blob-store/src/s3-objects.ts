import { addAbortSignal, type Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { BlobError, errnoOf } from './blob.errors.js';
import { hexOf } from './blob-names.js';
import { contentDigest } from './content-digest.js';

export const KEPT = 'kept/';
export const UNREFERENCED = 'unreferenced/';

/** A bucket of an S3 API, and the part of it that one deployment uses. */
export interface S3Bucket {
  readonly bucket: string;
  /** Empty, or a path that ends with `/`. */
  readonly prefix: string;
  readonly region: string;
  /** Origin of the API; the public one of the region by default. */
  readonly endpoint?: string;
  /** Names the bucket in the path instead of the host. */
  readonly isPathStyle: boolean;
}

export interface S3Access {
  /** Credentials; those of the process's environment by default, as the AWS SDK finds them. */
  readonly credentials?: S3ClientConfig['credentials'];
  /** Bounds one call with its repetitions, in milliseconds; default 12,000. */
  readonly timeoutMs?: number;
}

export interface FoundObject {
  /** Null if it is longer than the bound. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly byteLength: number;
  readonly etag: string;
}

export interface ListedObject {
  /** Without the prefix of the deployment. */
  readonly key: string;
  readonly byteLength: number;
  readonly writtenAt: number;
}

/** The objects of a bucket. Keys omit the deployment's prefix. Throws BlobError `BLOB_IO` or `BLOB_UNAVAILABLE`. */
export interface S3Objects {
  read(key: string, digest: Sha256Digest, maxBytes: number): Promise<FoundObject | undefined>;
  isThere(key: string, digest: Sha256Digest): Promise<boolean>;
  /** Writes an object unless the key exists, and lets the server check its digest. Returns whether it was written. */
  create(key: string, digest: Sha256Digest, bytes: Uint8Array): Promise<boolean>;
  /** Writes an object in place of the one with that ETag. Returns whether it was written. */
  replace(key: string, digest: Sha256Digest, bytes: Uint8Array, etag: string): Promise<boolean>;
  /** Writes an object, whether or not the key exists. */
  write(key: string, digest: Sha256Digest, bytes: Uint8Array): Promise<void>;
  /** Returns false if there is nothing to copy. */
  copy(from: string, to: string, digest: Sha256Digest): Promise<boolean>;
  remove(key: string): Promise<void>;
  list(under: string): AsyncIterable<ListedObject>;
}

const DEFAULT_TIMEOUT_MS = 12_000;
const ATTEMPTS = 4;
const CONNECT_MS = 1_000;
const ATTEMPT_MS = 6_000;

const WRONG_DIGEST = new Set(['BadDigest', 'InvalidDigest', 'XAmzContentChecksumMismatch']);
/** Refusals after which the same call may succeed; the SDK repeats them too. */
const PASSING = new Set(['ConditionalRequestConflict', 'OperationAborted', 'RequestTimeout', 'SlowDown']);

/** Creates the client of a bucket. Each call has one deadline over at most four attempts. */
export function createS3Objects(
  { bucket, prefix, region, endpoint, isPathStyle }: S3Bucket,
  access: S3Access,
): S3Objects {
  const { credentials, timeoutMs = DEFAULT_TIMEOUT_MS } = access;
  const client = new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: ATTEMPTS,
    // The name of every object is its digest, which callers check themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  /** Runs a call within its deadline. `status` names an outcome that is no error, and gives undefined. */
  async function bounded<T>(
    digest: Sha256Digest | undefined,
    status: number | null,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await send(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (statusOf(error) === status) return undefined;
      throw blobErrorOf(error, digest);
    }
  }

  const write = (
    key: string,
    digest: Sha256Digest,
    bytes: Uint8Array,
    condition: { readonly IfNoneMatch?: string; readonly IfMatch?: string },
  ) =>
    bounded(digest, 412, (abortSignal) =>
      client.send(
        new PutObjectCommand({
          ...at(key),
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentType: 'application/octet-stream',
          ChecksumSHA256: Buffer.from(hexOf(digest), 'hex').toString('base64'),
          ...condition,
        }),
        { abortSignal },
      ),
    );

  return {
    read: (key, digest, maxBytes) =>
      bounded(digest, 404, async (abortSignal) => {
        const {
          Body,
          ContentLength = 0,
          ETag = '',
        } = await client.send(new GetObjectCommand(at(key)), { abortSignal });
        const body = addAbortSignal(abortSignal, Body as Readable);
        const bytes = ContentLength > maxBytes ? null : await collect(body, maxBytes);
        if (bytes === null) body.destroy();
        return { bytes, byteLength: bytes?.byteLength ?? ContentLength, etag: ETag };
      }),
    isThere: async (key, digest) =>
      (await bounded(digest, 404, (abortSignal) => client.send(new HeadObjectCommand(at(key)), { abortSignal }))) !==
      undefined,
    create: async (key, digest, bytes) => (await write(key, digest, bytes, { IfNoneMatch: '*' })) !== undefined,
    replace: async (key, digest, bytes, etag) => (await write(key, digest, bytes, { IfMatch: etag })) !== undefined,
    async write(key, digest, bytes) {
      await write(key, digest, bytes, {});
    },
    copy: async (from, to, digest) =>
      (await bounded(digest, 404, (abortSignal) =>
        client.send(new CopyObjectCommand({ ...at(to), CopySource: `${bucket}/${prefix}${from}` }), { abortSignal }),
      )) !== undefined,
    async remove(key) {
      await bounded(undefined, 404, (abortSignal) => client.send(new DeleteObjectCommand(at(key)), { abortSignal }));
    },
    async *list(under) {
      let next: string | undefined;
      do {
        const page = await bounded(undefined, null, (abortSignal) =>
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: prefix + under,
              ...(next === undefined ? {} : { ContinuationToken: next }),
            }),
            { abortSignal },
          ),
        );
        for (const { Key = '', Size = 0, LastModified } of page?.Contents ?? [])
          yield { key: Key.slice(prefix.length), byteLength: Size, writtenAt: LastModified?.getTime() ?? Date.now() };
        next = page?.NextContinuationToken;
      } while (next !== undefined);
    },
  };
}

/** Returns null once there are more than `maxBytes`: an announced length need not be true. */
async function collect(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Reports whether an object was read whole and hashes to a digest. */
export const hashesTo = async ({ bytes }: FoundObject, digest: Sha256Digest): Promise<boolean> =>
  bytes !== null && (await contentDigest(bytes)) === digest;

/** A missing bucket is no missing object. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException && error.name !== 'NoSuchBucket' ? error.$metadata.httpStatusCode : undefined;

/** Without the cause: the texts of S3 name accounts, buckets and keys. */
function blobErrorOf(error: unknown, digest: Sha256Digest | undefined): BlobError {
  if (error instanceof BlobError) return error;
  const named = digest === undefined ? {} : { digest };
  if (!(error instanceof S3ServiceException)) {
    const errno = errnoOf(error) ?? (error instanceof Error ? error.name : undefined);
    return new BlobError('BLOB_UNAVAILABLE', { ...named, ...(errno === undefined ? {} : { errno }) });
  }
  const { name, $metadata } = error;
  const status = $metadata.httpStatusCode ?? 500;
  if (WRONG_DIGEST.has(name)) return new BlobError('BLOB_CORRUPT', named);
  const isPassing = PASSING.has(name) || status === 429 || status >= 500;
  return new BlobError(isPassing ? 'BLOB_UNAVAILABLE' : 'BLOB_IO', { ...named, errno: name });
}
