export type { ClientTls } from './bounded-http.js';
export { createKmsSigner, type KmsSignerOptions } from './kms.signer.js';
export { createLocalKeySigner } from './local-key.signer.js';
export type { PermitSigner } from './permit.signer.js';
export { createPkcs11Signer, type Pkcs11SignerOptions } from './pkcs11.signer.js';
export { SignerError, type SignerErrorCode } from './signer.errors.js';
export { createWeb3Signer, type Web3SignerOptions } from './web3signer.signer.js';
