import { posix } from 'node:path';
import {
  canonicalizeJson,
  parseStrictJson,
  reservedMember,
  StrictJsonError,
  type JsonValue,
} from '@launch/contracts/json';
import {
  declaredDigest,
  familyIdOf,
  judgePackage,
  judgeSubmission,
  MODULE_LIMITS,
  MODULE_SUBMISSION_SCHEMA,
  packageIdOf,
  walletOf,
  type ModulePackage,
} from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';
import type { ExpectedReceipt } from './binding.js';
import { ModuleCliError } from './module-cli.error.js';
import { ModuleRoot } from './root.js';

/** A request, the expected members of its receipt, and every text in it, none of which may contain a key. */
export interface PackedSubmission {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: ExpectedReceipt;
  readonly largestFileBytes: number;
  readonly texts: readonly { readonly pointer: string; readonly bytes: Uint8Array }[];
}

const { finding } = ModuleCliError;

/**
 * Packs the descriptor and exactly the files that it pins. The same folder makes the same bytes.
 * @throws {ModuleCliError} with the service's code for the fault; `MODULE_CLI_FILE`, `MODULE_FILE_CHANGED`
 */
export function packSubmission(folder: string, descriptorPath: string, supersedes: string | null): PackedSubmission {
  const root = new ModuleRoot(folder);
  const { maxRequestBytes, maxFileBytes, maxTotalBytes } = MODULE_LIMITS;
  const tooLarge = finding('MODULE_LIMIT_EXCEEDED', '--package');
  const json = parse(root.read(plainPath(descriptorPath), '--package', maxRequestBytes, tooLarge));
  const descriptor = descriptorOf(json);
  let total = 0;
  const files = descriptor.source.files.map(({ path, sha256 }, index) => {
    const pointer = `/source/files/${index}`;
    const bytes = root.read(path, pointer, maxFileBytes, finding('MODULE_LIMIT_EXCEEDED', pointer));
    total += bytes.length;
    if (total > maxTotalBytes) throw finding('MODULE_LIMIT_EXCEEDED', '/source/files');
    if (sha256Digest(bytes) !== declaredDigest(sha256)) throw finding('MODULE_FILE_HASH', `${pointer}/sha256`);
    return { path, sha256, contentBase64: bytes.toString('base64') };
  });
  root.confirm();
  return readSubmission(
    canonicalizeJson({ schemaVersion: MODULE_SUBMISSION_SCHEMA, package: json, files, supersedes }),
  );
}

/**
 * Reads a request from a file, and judges it by the service's rules before it is sent.
 * @throws {ModuleCliError} with the service's code for the fault
 */
export function readSubmission(bytes: Uint8Array): PackedSubmission {
  if (bytes.length > MODULE_LIMITS.maxRequestBytes) throw finding('MODULE_LIMIT_EXCEEDED', '');
  const judged = judgeSubmission(parse(bytes), MODULE_LIMITS);
  if (judged.submission === null) throw ModuleCliError.findings(judged.findings);
  const { submission, files } = judged;
  const { package: descriptor, supersedes } = submission;
  const { author, rewardWallet, name, version, family } = descriptor;
  return {
    bytes: new Uint8Array(bytes),
    expected: {
      packageId: packageIdOf(descriptor),
      familyId: familyIdOf(walletOf(author), family),
      requestDigest: sha256Digest(bytes),
      author: walletOf(author),
      rewardWallet: walletOf(rewardWallet),
      name,
      version,
      family,
      byteCount: files.reduce((sum, file) => sum + file.bytes.length, 0),
      fileCount: files.length,
      supersedes,
    },
    largestFileBytes: Math.max(...files.map((file) => file.bytes.length)),
    texts: [
      ...files.map((file, index) => ({ pointer: `/files/${index}`, bytes: file.bytes })),
      { pointer: '/package', bytes: canonicalizeJson(descriptor) },
    ],
  };
}

/** Parses strict JSON. @throws {ModuleCliError} `MODULE_JSON_INVALID` */
export function parse(bytes: Uint8Array): JsonValue {
  try {
    const json = parseStrictJson(bytes);
    if (reservedMember(json) === null) return json;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
  }
  throw ModuleCliError.own('MODULE_JSON_INVALID', { path: '' });
}

/** Reads a descriptor by the rules of the service. @throws {ModuleCliError} with the service's codes for all faults */
export function descriptorOf(json: JsonValue): ModulePackage {
  const { descriptor, findings } = judgePackage(json, MODULE_LIMITS);
  if (descriptor === null) throw ModuleCliError.findings(findings);
  return descriptor;
}

/** Returns a path below the root as it is typed. Refuses one that normalises to another path. */
export function plainPath(path: string): string {
  const isPlain = path !== '' && posix.normalize(path) === path && !/^(\/|\.\.?(\/|$))|\\|\0|\/$/.test(path);
  if (!isPlain) throw ModuleCliError.own('MODULE_CLI_ARGUMENTS_INVALID', { path: '--package' });
  return path;
}
