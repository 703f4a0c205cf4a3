import { z } from 'zod';
import type { BlobCollection } from './blob-collection.js';
import type { BlobReader, BlobStore } from './blob.store.js';
import { createFileBlobCollection } from './file-blob.collection.js';
import { createFileBlobStore, createReadOnlyFileBlobStore } from './file-blob.store.js';
import { createS3BlobCollection } from './s3-blob.collection.js';
import { createReadOnlyS3BlobStore, createS3BlobStore, type S3Bucket } from './s3-blob.store.js';

/** The place that holds the blobs of a deployment. */
export type BlobLocation = { readonly kind: 'files'; readonly dir: string } | ({ readonly kind: 's3' } & S3Bucket);

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9._-]{1,64}(\/[A-Za-z0-9._-]{1,64}){0,7}$/;

const s3Query = z.strictObject({
  region: z.string().regex(/^[a-z0-9-]{1,64}$/),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  'path-style': z.enum(['true', 'false']).default('false'),
});

/** Returns null for a text that is no such URL. */
function s3BucketOf(text: string): S3Bucket | null {
  const parsed = URL.parse(text);
  if (parsed === null || parsed.username + parsed.password + parsed.port + parsed.hash !== '') return null;
  const query = s3Query.safeParse(Object.fromEntries(parsed.searchParams));
  const names = [...parsed.searchParams.keys()];
  const prefix = parsed.pathname.replace(/^\/|\/$/g, '');
  if (!query.success || new Set(names).size !== names.length) return null;
  if (!BUCKET.test(parsed.host) || (prefix !== '' && !PREFIX.test(prefix))) return null;
  const { region, endpoint, 'path-style': pathStyle } = query.data;
  return {
    bucket: parsed.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    isPathStyle: pathStyle === 'true',
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** Parses a variable that names a folder, or `s3://bucket/prefix?region=…[&endpoint=…][&path-style=true]`. */
export const blobLocation = () =>
  z
    .string()
    .min(1)
    .max(2_048)
    .transform((text, context): BlobLocation => {
      if (!text.includes('://')) return { kind: 'files', dir: text };
      const bucket = text.startsWith('s3://') ? s3BucketOf(text) : null;
      if (bucket !== null) return { kind: 's3', ...bucket };
      context.addIssue({
        code: 'custom',
        message: 'must be a folder or s3://bucket/prefix?region=<region>, optionally with endpoint and path-style=true',
      });
      return z.NEVER;
    });

/** Opens the store at a location. */
export const openBlobStore = (location: BlobLocation): BlobStore =>
  location.kind === 'files' ? createFileBlobStore(location) : createS3BlobStore(location);

/** Opens the store at a location without write methods. */
export const openBlobReader = (location: BlobLocation): BlobReader =>
  location.kind === 'files' ? createReadOnlyFileBlobStore(location) : createReadOnlyS3BlobStore(location);

/** Opens the store at a location for the collection of content that no record names. */
export const openBlobCollection = (location: BlobLocation): BlobCollection =>
  location.kind === 'files' ? createFileBlobCollection(location) : createS3BlobCollection(location);
