export { BlobError, type BlobErrorCode } from './blob.errors.js';
export { isSha256Digest, sha256Digest, type Sha256Digest } from './digest.js';
export {
  createFileBlobStore,
  createReadOnlyFileBlobStore,
  type BlobReader,
  type BlobStore,
  type FileBlobStoreOptions,
} from './file-blob.store.js';
