export { BlobError, type BlobErrorCode } from './blob.errors.js';
export {
  createFileBlobStore,
  createReadOnlyFileBlobStore,
  type BlobReader,
  type BlobStore,
  type FileBlobStoreOptions,
} from './file-blob.store.js';
