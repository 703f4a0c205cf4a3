import {
  familyIdOf,
  judgeSubmission,
  moduleSubmissionSchema,
  packageIdOf,
  walletOf,
  type ModuleIssue,
  type ModuleSubmission,
  type SubmittedFile,
} from '@launch/contracts/modules';
import { addressOf, LIMITS, type Bytes32, type Hex } from '@launch/contracts/primitives';
import { readSchema, readStrictJson } from '@launch/http/requests';
import type { RequestForm } from '../../../platform/request-forms/request-form.js';
import type { IntakeLimits } from './module-intake.js';

/** A draft as stored. */
export interface ModuleDraft {
  readonly name: string;
  readonly version: string;
  readonly family: string;
  readonly author: Hex;
  readonly rewardWallet: Hex;
  readonly familyId: Bytes32;
  readonly packageId: Bytes32;
  readonly supersedes: string | null;
  /** Raw bytes of all files. */
  readonly byteCount: number;
  readonly files: readonly Pick<SubmittedFile, 'sha256' | 'bytes'>[];
}

/** The contents of a submission's body, with every fault of its content. Plain data. */
export interface ModuleForm {
  /** Lowercase; null for an invalid address. */
  readonly author: Hex | null;
  readonly issues: readonly ModuleIssue[];
  /** Null when there is a fault. */
  readonly draft: ModuleDraft | null;
}

/** Reads and hashes the bytes of a submission. Nothing is run, unpacked or fetched. @throws ApiError for bytes and schema, each with every finding. */
export function readModuleForm(bytes: Uint8Array, limits: IntakeLimits): ModuleForm {
  const submission = readSchema(moduleSubmissionSchema, readStrictJson(bytes));
  const tooMany = tooManyFiles(submission, limits);
  if (tooMany.length > 0) return { author: addressOf(submission.package.author), issues: tooMany, draft: null };
  const { issues: all, files } = judgeSubmission(submission, limits);
  // One more than an answer reports, as a sign that there are more.
  const issues = all.slice(0, LIMITS.findings + 1);
  const { package: descriptor, supersedes } = submission;
  const author = addressOf(descriptor.author);
  if (issues.length > 0 || author === null) return { author, issues, draft: null };
  const { name, version, family } = descriptor;
  const draft: ModuleDraft = {
    name,
    version,
    family,
    author,
    rewardWallet: walletOf(descriptor.rewardWallet),
    familyId: familyIdOf(author, family),
    packageId: packageIdOf(descriptor),
    supersedes,
    byteCount: files.reduce((sum, file) => sum + file.bytes.length, 0),
    files: files.map((file) => ({ sha256: file.sha256, bytes: file.bytes })),
  };
  return { author, issues, draft };
}

/** Reads module drafts within the limits of this deployment. Their files move between threads without a copy. */
export const moduleForm: RequestForm<IntakeLimits, ModuleForm> = {
  name: 'module.v0.1',
  read: readModuleForm,
  memoryOf: ({ draft }) => draft?.files.map(({ bytes }) => bytes.buffer) ?? [],
};

/** Finds lists with too many files: judging the paths and hashes of tens of thousands costs more than reading them. */
function tooManyFiles({ package: { source }, files }: ModuleSubmission, { maxFiles }: IntakeLimits): ModuleIssue[] {
  const lists = [
    ['/package/source/files', source.files.length],
    ['/files', files.length],
  ] as const;
  return lists.flatMap(([path, count]) =>
    count > maxFiles ? [{ code: 'MODULE_LIMIT_EXCEEDED', path, expected: `at most ${maxFiles} files` } as const] : [],
  );
}
