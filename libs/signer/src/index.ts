export { createLocalKeySigner } from './local-key.signer.js';
export { guardedSigner, type PermitSigner } from './permit.signer.js';
export { SignerError, type SignerErrorCode } from './signer.errors.js';
