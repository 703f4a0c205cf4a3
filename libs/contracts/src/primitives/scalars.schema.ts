import { z } from 'zod';
import { isBase64 } from './base64.js';

/** The scalar wire formats of every body. An integer that can exceed 2^31 is a string, never a JSON number. */

/** Bytes as `0x` and hex digits: the type that viem and `@launch/evm` accept. */
export type Hex = `0x${string}`;

/** SHA-256 of bytes in the form of the wire and the blob store. */
export type Sha256Digest = `sha256:${string}`;

/**
 * A string schema whose pattern fixes the beginning of its strings. Its inferred type has that prefix, so parsed values
 * need no cast.
 */
const typed = <T extends string>(schema: z.ZodString) => schema as z.ZodType<string> as z.ZodType<T, T>;
const hexTyped = (schema: z.ZodString) => typed<Hex>(schema);

/** Lowercase 20-byte address. */
export const addressSchema = hexTyped(z.string().regex(/^0x[0-9a-f]{40}$/, 'a lowercase 0x-prefixed 20-byte address'));

/** Lowercase 32-byte word: keccak-256 digests, salts, pool ids, transaction and block hashes. */
export const bytes32Schema = hexTyped(z.string().regex(/^0x[0-9a-f]{64}$/, 'a lowercase 0x-prefixed 32-byte word'));

export const SHA256_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and 64 lowercase hex digits: the digest of bytes that crossed HTTP or the blob store. */
export const sha256DigestSchema = typed<Sha256Digest>(
  z.string().regex(SHA256_DIGEST, 'sha256: followed by 64 lowercase hex digits'),
);

const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;

/** Canonical decimal integer, at most 78 digits. */
export const decimalSchema = z.string().regex(DECIMAL, 'a canonical decimal integer string');

/** Refinements also run on values that the pattern refused; these already have a finding. */
const bounded = (bits: bigint, name: string) =>
  decimalSchema.refine((text) => !DECIMAL.test(text) || BigInt(text) < 1n << bits, `must fit ${name}`);

/** Decimal string below 2^256. */
export const uint256Schema = bounded(256n, 'uint256');
/** Decimal string below 2^160. */
export const uint160Schema = bounded(160n, 'uint160');
/** Decimal string below 2^128. */
export const uint128Schema = bounded(128n, 'uint128');
/** Decimal-string unix seconds (permit fields). */
export const unixSecondsSchema = bounded(64n, 'uint64');

/** RFC 3339 UTC with milliseconds (resource timestamps). */
export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'an RFC 3339 UTC timestamp with milliseconds')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'a real instant');

/** A Git commit: the sources that a build was made from. */
export const sourceCommitSchema = z.string().regex(/^[0-9a-f]{40}$/, 'a Git commit, 40 lowercase hex digits');

/** Lowercase UUID version 4. */
export const uuidSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'a lowercase UUID v4');

/** `req_` and 26 Crockford base32 characters: the id of one HTTP exchange, for support. */
export const requestIdSchema = z.string().regex(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);

/** Even-length lowercase hex with 0x, at most `maxBytes` bytes. */
export const hexBytesSchema = (maxBytes: number) =>
  hexTyped(
    z
      .string()
      .max(2 + 2 * maxBytes, `at most ${maxBytes} bytes`)
      .regex(/^0x(?:[0-9a-f]{2})*$/, 'lowercase 0x-prefixed bytes'),
  );

const WALLET_SIGNATURE_BYTES = 2_048;
/**
 * A signature as the wallet returned it. The bound is the longest encoding that an error can name, a contract's wrapped
 * signature (EIP-6492). The code that recovers the signer judges the form.
 */
export const walletSignatureSchema = z
  .string()
  .max(2 + 2 * WALLET_SIGNATURE_BYTES, `at most ${WALLET_SIGNATURE_BYTES} bytes`)
  .describe(
    'Hexadecimal signature: 65 bytes (r, low s, and v of 27, 28, 0 or 1), or 64 bytes in the compact form of EIP-2098. Contract signatures (EIP-1271, EIP-6492) are not supported.',
  );

/** Standard base64 with padding (RFC 4648, section 4). */
export const base64Schema = (maxCharacters: number) =>
  z.string().max(maxCharacters).refine(isBase64, 'canonical base64 with padding');

/** Stable ids chosen by the client: component ids, compilation units, checks. */
export const slugSchema = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, '1-64 letters, digits, dot, underscore, hyphen');

/** Relative source path: no empty, `.` or `..` segment, no backslash, at most 512 UTF-8 bytes. */
export const sourcePathSchema = z
  .string()
  .min(1)
  .max(512)
  .refine((path) => new TextEncoder().encode(path).length <= 512, 'at most 512 UTF-8 bytes')
  .refine(
    (path) =>
      !/[\\\u0000-\u001f\u007f]/.test(path) &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'a relative path without empty, "." or ".." segments, backslashes or control characters',
  );

export const roleMaskSchema = z.number().int().min(0).max(63);

export type Address = z.infer<typeof addressSchema>;
export type Bytes32 = z.infer<typeof bytes32Schema>;
