export { createLocalKeySigner } from './local-key.signer.js';
export type { PermitSigner } from './permit.signer.js';
export { SignerError, type SignerErrorCode } from './signer.errors.js';
