export { BlobError, type BlobErrorCode } from './blob.errors.js';
export { blobLocation, openBlobReader, openBlobStore, type BlobLocation } from './blob-location.js';
export type { BlobReader, BlobStore, NamedBlob, NeededContents } from './blob.store.js';
export { contentDigest } from './content-digest.js';
export { createFileBlobStore, createReadOnlyFileBlobStore, type FileBlobStoreOptions } from './file-blob.store.js';
export {
  createReadOnlyS3BlobStore,
  createS3BlobStore,
  type S3BlobStoreOptions,
  type S3Bucket,
} from './s3-blob.store.js';
