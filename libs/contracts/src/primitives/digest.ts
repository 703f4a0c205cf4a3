import { sha256Hex } from '#sha256';
import { canonicalizeJson } from '../json/index.js';
import { SHA256_DIGEST, type Hex, type Sha256Digest } from './scalars.schema.js';
import { keccak256 } from './wasm-hashers.js';

/**
 * Returns SHA-256 of bytes in the form of the wire and the blob store: `sha256:<64 hex>`. Everything that crosses HTTP
 * uses it. The package's import `#sha256` selects Node's hasher, or WebAssembly outside Node.
 */
export const sha256Digest = (bytes: Uint8Array): Sha256Digest => `sha256:${sha256Hex(bytes)}`;

/** Returns whether `value` has exactly the wire form of a digest. */
export const isSha256Digest = (value: string): value is Sha256Digest => SHA256_DIGEST.test(value);

/**
 * Returns keccak-256 of bytes as a `0x` word. Everything that the chain sees uses it; it is never mixed with SHA-256.
 */
export const keccak256Hex = (bytes: Uint8Array): Hex => `0x${keccak256.init().update(bytes).digest('hex')}`;

/**
 * Returns keccak-256 of the RFC 8785 canonical JSON of a value: context, profile, policy, economics and intent hashes.
 */
export const canonicalKeccak = (value: unknown): Hex => keccak256Hex(canonicalizeJson(value));

/** Returns SHA-256 of the RFC 8785 canonical JSON of a value: the source bundle's digest over its manifest. */
export const canonicalSha256 = (value: unknown): Sha256Digest => sha256Digest(canonicalizeJson(value));
