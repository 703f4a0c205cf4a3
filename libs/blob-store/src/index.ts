export { BlobError, type BlobErrorCode } from './blob.errors.js';
export { contentDigest } from './content-digest.js';
export {
  createFileBlobStore,
  createReadOnlyFileBlobStore,
  type BlobReader,
  type BlobStore,
  type FileBlobStoreOptions,
  type NamedBlob,
  type NeededContents,
} from './file-blob.store.js';
