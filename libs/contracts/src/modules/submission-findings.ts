import { readBase64 } from '../primitives/base64.js';
import { sha256Digest } from '../primitives/digest.js';
import { addressOf } from '../primitives/eip55.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import { jsonPointer } from '../validation/validate.js';
import { configurationIssues, fieldIssues } from './configuration-meaning.js';
import type { MODULE_LIMITS } from './module-limits.js';
import { collidingPaths, pathFault } from './package-path.js';
import type { ModulePackage, ModuleSubmission } from './package.schema.js';

/** Codes that refuse the content of a package or request. */
export const MODULE_CONTENT_CODES = [
  'OPEN_ADDRESS',
  'OPEN_SOURCE_HASH',
  'MODULE_FILE_HASH',
  'MODULE_PATH_INVALID',
  'MODULE_LIMIT_EXCEEDED',
  'SCHEMA_INVALID',
] as const;
export type ModuleContentCode = (typeof MODULE_CONTENT_CODES)[number];

/** A fault of a package or request at a JSON pointer; it never repeats values of the request. */
export interface ModuleIssue {
  readonly code: ModuleContentCode;
  readonly path: string;
  readonly expected: string;
}

/** A file of a request with its decoded bytes and their hash. */
export interface SubmittedFile {
  readonly path: string;
  readonly sha256: Sha256Digest;
  /** In memory that nothing else shares. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Limits of a deployment for packages, none above `MODULE_LIMITS`. */
export type PackageLimits = Pick<
  { readonly [Name in keyof typeof MODULE_LIMITS]: number },
  'maxFiles' | 'maxFileBytes' | 'maxTotalBytes'
>;

/** Converts a declared digest, with or without `sha256:`, to the form of the wire and the blob store. */
export const declaredDigest = (text: string): Sha256Digest => `sha256:${text.slice(-64)}`;

/** Converts a declared wallet to lower case. @throws TypeError for one that `packageIssues` names. */
export function walletOf(text: string): Hex {
  const address = addressOf(text);
  if (address === null) throw new TypeError('a package with such a wallet is refused');
  return address;
}

const ZERO = `0x${'0'.repeat(40)}`;

/**
 * Judges the parts of a descriptor that its schema cannot refuse: wallets, paths, the number of files, and the meaning of
 * its configuration and of its actions' inputs (docs/reference/modules.md#package).
 * @param base pointer of the descriptor within the document, `""` for `module.json` itself.
 */
export function packageIssues(descriptor: ModulePackage, limits: PackageLimits, base = ''): ModuleIssue[] {
  const issues: ModuleIssue[] = [];
  const at = (...path: readonly (string | number)[]): string => base + jsonPointer(path);
  for (const wallet of ['author', 'rewardWallet'] as const) {
    const address = addressOf(descriptor[wallet]);
    if (address === null || address === ZERO)
      issues.push({
        code: 'OPEN_ADDRESS',
        path: at(wallet),
        expected: 'a nonzero EVM address in lower case or with its checksum',
      });
  }
  const { files } = descriptor.source;
  if (files.length > limits.maxFiles)
    issues.push({
      code: 'MODULE_LIMIT_EXCEEDED',
      path: at('source', 'files'),
      expected: `at most ${limits.maxFiles} files`,
    });
  issues.push(
    ...pathIssues(
      files.map(({ path }) => path),
      (index) => at('source', 'files', index, 'path'),
    ),
  );
  for (const { path, expected } of configurationIssues(descriptor.configuration))
    issues.push({ code: 'SCHEMA_INVALID', path: at('configuration', ...path), expected });
  descriptor.management.actions.forEach(({ inputs }, index) => {
    for (const { path, expected } of fieldIssues(inputs, ['management', 'actions', index, 'inputs']))
      issues.push({ code: 'SCHEMA_INVALID', path: at(...path), expected });
  });
  return issues;
}

function pathIssues(paths: readonly string[], at: (index: number) => string): ModuleIssue[] {
  const colliding = collidingPaths(paths);
  return paths.flatMap((path, index) => {
    const expected = pathFault(path) ?? colliding.get(index);
    return expected === undefined ? [] : [{ code: 'MODULE_PATH_INVALID', path: at(index), expected } as const];
  });
}

/** The result of judging a request: its files, or all faults. */
export interface JudgedSubmission {
  readonly issues: readonly ModuleIssue[];
  /** In the request's order, without unreadable files. */
  readonly files: readonly SubmittedFile[];
}

/**
 * Judges a whole request at once: the descriptor, that `files` is exactly what it pins, and that each file's bytes have
 * the declared hash (docs/reference/modules.md#submission-request). Hashes up to 16 MiB: call it off a server's event loop.
 */
export function judgeSubmission(submission: ModuleSubmission, limits: PackageLimits): JudgedSubmission {
  const { package: descriptor, files } = submission;
  const issues = packageIssues(descriptor, limits, '/package');
  issues.push(...pinIssues(submission));
  if (files.length > limits.maxFiles)
    issues.push({ code: 'MODULE_LIMIT_EXCEEDED', path: '/files', expected: `at most ${limits.maxFiles} files` });
  issues.push(
    ...pathIssues(
      files.map(({ path }) => path),
      (index) => jsonPointer(['files', index, 'path']),
    ),
  );
  const read: SubmittedFile[] = [];
  let total = 0;
  files.forEach((file, index) => {
    const at = jsonPointer(['files', index, 'contentBase64']);
    const bytes = hasZeroSpareBits(file.contentBase64) ? readBase64(file.contentBase64) : null;
    if (bytes === null) {
      issues.push({ code: 'SCHEMA_INVALID', path: at, expected: 'standard base64 with padding and zero spare bits' });
      return;
    }
    total += bytes.length;
    if (bytes.length > limits.maxFileBytes) {
      issues.push({ code: 'MODULE_LIMIT_EXCEEDED', path: at, expected: `at most ${limits.maxFileBytes} bytes` });
      return;
    }
    const sha256 = sha256Digest(bytes);
    if (sha256 !== declaredDigest(file.sha256))
      issues.push({
        code: 'MODULE_FILE_HASH',
        path: jsonPointer(['files', index, 'sha256']),
        expected: 'the SHA-256 of the file',
      });
    read.push({ path: file.path, sha256, bytes });
  });
  if (total > limits.maxTotalBytes)
    issues.push({
      code: 'MODULE_LIMIT_EXCEEDED',
      path: '/files',
      expected: `at most ${limits.maxTotalBytes} bytes in all`,
    });
  return { issues, files: read };
}

/**
 * Finds differences between `files` and `source.files`: each pinned file must be present with its hash, in any order,
 * and no other file.
 */
function pinIssues({ package: { source }, files }: ModuleSubmission): ModuleIssue[] {
  const issues: ModuleIssue[] = [];
  const sent = new Map(files.map(({ path, sha256 }) => [path, declaredDigest(sha256)]));
  const pinned = new Map(source.files.map(({ path, sha256 }) => [path, declaredDigest(sha256)]));
  source.files.forEach(({ path, sha256 }, index) => {
    if (sent.get(path) === declaredDigest(sha256)) return;
    const at = jsonPointer(['package', 'source', 'files', index]);
    issues.push({ code: 'OPEN_SOURCE_HASH', path: at, expected: 'a file of the request with this path and hash' });
  });
  files.forEach(({ path }, index) => {
    if (pinned.has(path)) return;
    issues.push({
      code: 'OPEN_SOURCE_HASH',
      path: jsonPointer(['files', index]),
      expected: 'a file that source.files pins',
    });
  });
  return issues;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns whether the spare bits of the last character are zero, so that each byte string has exactly one text. */
function hasZeroSpareBits(base64: string): boolean {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  if (padding === 0) return true;
  const last = ALPHABET.indexOf(base64.charAt(base64.length - padding - 1));
  return last % (padding === 2 ? 16 : 4) === 0;
}
