/** Scalars, limits, digests and encodings of every wire format. */
export * from './base64.js';
export { encodeBase64 } from './base64-encoder.js';
export * from './digest.js';
export * from './eip55.js';
export * from './keccak-bytes.js';
export * from './limits.js';
export * from './named-record.schema.js';
export * from './scalars.schema.js';
