import { keccak_256 } from '@noble/hashes/sha3';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { canonicalizeJson } from '../json/index.js';

/** SHA-256 of bytes as the wire writes it: `sha256:<64 hex>`. The family of everything that crosses HTTP. */
export const sha256Digest = (bytes: Uint8Array): string => `sha256:${bytesToHex(sha256(bytes))}`;

/** keccak-256 of bytes as a bare `0x` word. The family of everything the chain sees; never mixed with SHA-256. */
export const keccak256Hex = (bytes: Uint8Array): string => `0x${bytesToHex(keccak_256(bytes))}`;

/** keccak-256 of the RFC 8785 canonical JSON of a value: context, profile, policy, economics and intent hashes. */
export const canonicalKeccak = (value: unknown): string => keccak256Hex(canonicalizeJson(value));

/** SHA-256 of the RFC 8785 canonical JSON of a value: the source bundle's digest over its manifest. */
export const canonicalSha256 = (value: unknown): string => sha256Digest(canonicalizeJson(value));
