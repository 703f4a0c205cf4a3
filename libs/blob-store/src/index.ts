export { BlobError, type BlobErrorCode } from './blob.errors.js';
export type { BlobCollection, BlobFacts, ListedBlob } from './blob-collection.js';
export { blobLocation, openBlobCollection, openBlobReader, openBlobStore, type BlobLocation } from './blob-location.js';
export type { BlobReader, BlobStore, NamedBlob, NeededContents } from './blob.store.js';
export { contentDigest } from './content-digest.js';
export { createFileBlobCollection } from './file-blob.collection.js';
export { createFileBlobStore, createReadOnlyFileBlobStore, type FileBlobStoreOptions } from './file-blob.store.js';
export { createS3BlobCollection } from './s3-blob.collection.js';
export {
  createReadOnlyS3BlobStore,
  createS3BlobStore,
  type S3BlobStoreOptions,
  type S3Bucket,
} from './s3-blob.store.js';
