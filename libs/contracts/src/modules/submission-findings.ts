import { orderFindings } from '../errors/finding.js';
import { formFinding, servedFinding } from '../errors/make-finding.js';
import type { ServedFinding } from '../errors/modules.catalogue.js';
import { readBase64 } from '../primitives/base64.js';
import { sha256Digest } from '../primitives/digest.js';
import { addressOf } from '../primitives/eip55.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import { jsonPointer, validate } from '../validation/validate.js';
import { configurationIssues, fieldIssues } from './configuration-meaning.js';
import {
  declaredFiles,
  declaredPackage,
  memberOf,
  type DeclaredFile,
  type DeclaredFiles,
  type DeclaredPackage,
} from './declared-parts.js';
import type { MODULE_LIMITS } from './module-limits.js';
import { collidingPaths, pathFault } from './package-path.js';
import {
  modulePackageSchema,
  moduleSubmissionSchema,
  type ModulePackage,
  type ModuleSubmission,
} from './package.schema.js';

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

const ZERO = `0x${'0'.repeat(40)}`;

/** Returns a declared wallet in lower case; null for one that is not a nonzero address. */
function declaredWallet(text: string): Hex | null {
  const address = addressOf(text);
  return address === ZERO ? null : address;
}

/** Converts a declared wallet to lower case. @throws TypeError for one that a finding names. */
export function walletOf(text: string): Hex {
  const address = declaredWallet(text);
  if (address === null) throw new TypeError('a package with such a wallet is refused');
  return address;
}

/** The result of judging a descriptor: it, or all findings in the order of a response. */
export type JudgedPackage =
  | { readonly descriptor: ModulePackage; readonly findings: readonly [] }
  | { readonly descriptor: null; readonly findings: readonly ServedFinding[] };

/** The result of judging a request: its contents, or all findings in the order of a response. */
export type JudgedSubmission =
  | {
      readonly submission: ModuleSubmission;
      /** In the request's order. */
      readonly files: readonly SubmittedFile[];
      readonly author: Hex;
      readonly findings: readonly [];
    }
  | {
      readonly submission: null;
      /** Null unless the request declares a nonzero address. */
      readonly author: Hex | null;
      readonly findings: readonly ServedFinding[];
    };

/** Judges a descriptor: its form, and the meaning of each part whose own form is right (docs/reference/modules.md#package). */
export function judgePackage(json: unknown, limits: PackageLimits): JudgedPackage {
  const form = validate(modulePackageSchema, json);
  const findings = packageFindings(declaredPackage(json, limits.maxFiles), limits, '');
  if (form.ok && findings.length === 0) return { descriptor: form.value, findings: [] };
  return { descriptor: null, findings: orderFindings([...(form.ok ? [] : form.findings), ...findings]) };
}

/**
 * Judges a whole request at once: its form, the parts of the descriptor, that `files` is exactly what the descriptor
 * pins, and that each file's bytes have the declared hash. A part with a wrong form hides no finding of another
 * (docs/reference/modules.md#submission-request). Hashes up to 16 MiB: call it off a server's event loop.
 */
export function judgeSubmission(json: unknown, limits: PackageLimits): JudgedSubmission {
  const form = validate(moduleSubmissionSchema, json);
  const declared = declaredPackage(memberOf(json, 'package'), limits.maxFiles);
  const sent = declaredFiles(memberOf(json, 'files'), limits.maxFiles);
  const contents = readContents(sent?.files ?? [], limits);
  const author = declared.author === null ? null : declaredWallet(declared.author);
  const findings = [
    ...packageFindings(declared, limits, '/package'),
    ...fileListFindings(sent, limits, '/files'),
    ...pinFindings(declared.sources, sent),
    ...contents.findings,
  ];
  if (form.ok && author !== null && findings.length === 0)
    return { submission: form.value, files: contents.files, author, findings: [] };
  return { submission: null, author, findings: orderFindings([...(form.ok ? [] : form.findings), ...findings]) };
}

/** @param base pointer of the descriptor within the document, `""` for `module.json` itself. */
function packageFindings(declared: DeclaredPackage, limits: PackageLimits, base: string): ServedFinding[] {
  const findings = (['author', 'rewardWallet'] as const).flatMap((wallet) => {
    const text = declared[wallet];
    if (text === null || declaredWallet(text) !== null) return [];
    const expected = 'a nonzero EVM address in lower case or with its checksum';
    return [servedFinding('OPEN_ADDRESS', `${base}/${wallet}`, { expected })];
  });
  const { sources, configuration, actionInputs } = declared;
  const meaning = [
    ...configurationIssues(configuration).map(({ path, expected }) => ({ path: ['configuration', ...path], expected })),
    ...actionInputs.flatMap((inputs, index) => fieldIssues(inputs, ['management', 'actions', index, 'inputs'])),
  ];
  return [
    ...findings,
    ...fileListFindings(sources, limits, `${base}/source/files`),
    ...meaning.map(({ path, expected }) => formFinding(base + jsonPointer(path), expected)),
  ];
}

/** Finds too many files in a list, and paths that a package must not have. */
function fileListFindings(list: DeclaredFiles | null, { maxFiles }: PackageLimits, at: string): ServedFinding[] {
  if (list === null) return [];
  const paths = list.files.map(({ path }) => path);
  const colliding = collidingPaths(paths);
  const findings = paths.flatMap((path, index) => {
    const expected = (path === null ? null : pathFault(path)) ?? colliding.get(index);
    return expected === undefined ? [] : [servedFinding('MODULE_PATH_INVALID', `${at}/${index}/path`, { expected })];
  });
  if (list.count > maxFiles)
    findings.push(servedFinding('MODULE_LIMIT_EXCEEDED', at, { expected: `at most ${maxFiles} files` }));
  return findings;
}

interface Contents {
  readonly files: readonly SubmittedFile[];
  readonly findings: readonly ServedFinding[];
}

/** Decodes and hashes the contents of the files that have readable ones. */
function readContents(sent: readonly DeclaredFile[], limits: PackageLimits): Contents {
  const findings: ServedFinding[] = [];
  const files: SubmittedFile[] = [];
  let total = 0;
  sent.forEach(({ path, sha256: declared, contentBase64 }, index) => {
    if (contentBase64 === null) return;
    const at = `/files/${index}`;
    const bytes = hasZeroSpareBits(contentBase64) ? readBase64(contentBase64) : null;
    if (bytes === null) {
      const expected = 'standard base64 with padding and zero spare bits';
      findings.push(formFinding(`${at}/contentBase64`, expected));
      return;
    }
    total += bytes.length;
    if (bytes.length > limits.maxFileBytes) {
      const expected = `at most ${limits.maxFileBytes} bytes`;
      findings.push(servedFinding('MODULE_LIMIT_EXCEEDED', `${at}/contentBase64`, { expected }));
      return;
    }
    if (declared === null) return;
    const sha256 = sha256Digest(bytes);
    if (sha256 !== declaredDigest(declared))
      findings.push(servedFinding('MODULE_FILE_HASH', `${at}/sha256`, { expected: 'the SHA-256 of the file' }));
    if (path !== null) files.push({ path, sha256, bytes });
  });
  if (total > limits.maxTotalBytes) {
    const expected = `at most ${limits.maxTotalBytes} bytes in all`;
    findings.push(servedFinding('MODULE_LIMIT_EXCEEDED', '/files', { expected }));
  }
  return { files, findings };
}

/**
 * Finds differences between `files` and `source.files`: each pinned file must be present with its hash, in any order,
 * and no other file. While a path of one list is unreadable, no file of the other counts as missing there: it may be the
 * one with that path.
 */
function pinFindings(sources: DeclaredFiles | null, sent: DeclaredFiles | null): ServedFinding[] {
  if (sources === null || sent === null || !isWhole(sources) || !isWhole(sent)) return [];
  const sentDigests = new Map(sent.files.map(({ path, sha256 }) => [path, sha256]));
  const pinned = new Set(sources.files.map(({ path }) => path));
  const isSent = ({ path, sha256 }: DeclaredFile): boolean => {
    if (path === null) return true;
    const digest = sentDigests.get(path);
    if (digest === undefined) return sentDigests.has(null);
    return digest === null || sha256 === null || declaredDigest(digest) === declaredDigest(sha256);
  };
  return [
    ...sources.files.flatMap((file, index) => {
      const expected = 'a file of the request with this path and hash';
      return isSent(file) ? [] : [servedFinding('OPEN_SOURCE_HASH', `/package/source/files/${index}`, { expected })];
    }),
    ...sent.files.flatMap(({ path }, index) => {
      const expected = 'a file that source.files pins';
      const isPinned = path === null || pinned.has(path) || pinned.has(null);
      return isPinned ? [] : [servedFinding('OPEN_SOURCE_HASH', `/files/${index}`, { expected })];
    }),
  ];
}

const isWhole = ({ count, files }: DeclaredFiles): boolean => count === files.length;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns whether the spare bits of the last character are zero, so that each byte string has exactly one text. */
function hasZeroSpareBits(base64: string): boolean {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  if (padding === 0) return true;
  const last = ALPHABET.indexOf(base64.charAt(base64.length - padding - 1));
  return last % (padding === 2 ? 16 : 4) === 0;
}
