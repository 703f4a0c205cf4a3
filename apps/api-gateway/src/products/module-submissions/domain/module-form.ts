import type { ServedFinding } from '@launch/contracts/errors';
import { familyIdOf, judgeSubmission, packageIdOf, walletOf, type SubmittedFile } from '@launch/contracts/modules';
import type { Bytes32, Hex } from '@launch/contracts/primitives';
import { readStrictJson } from '@launch/http/requests';
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

/** The contents of a submission's body, with every finding of its content. Plain data. */
export interface ModuleForm {
  /** Lowercase; null unless the request declares a nonzero address. */
  readonly author: Hex | null;
  /** In the order of a response. */
  readonly findings: readonly ServedFinding[];
  /** Null when there is a finding. */
  readonly draft: ModuleDraft | null;
}

/** Reads and hashes the bytes of a submission. Nothing is run, unpacked or fetched. @throws ApiError for bytes that are no strict JSON. */
export function readModuleForm(bytes: Uint8Array, limits: IntakeLimits): ModuleForm {
  const judged = judgeSubmission(readStrictJson(bytes), limits);
  if (judged.submission === null) return { author: judged.author, findings: judged.findings, draft: null };
  const { author, submission, files } = judged;
  const { package: descriptor, supersedes } = submission;
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
  return { author, findings: [], draft };
}

/** Reads module drafts within the limits of this deployment. Their files move between threads without a copy. */
export const moduleForm: RequestForm<IntakeLimits, ModuleForm> = {
  name: 'module.v0.1',
  read: readModuleForm,
  memoryOf: ({ draft }) => draft?.files.map(({ bytes }) => bytes.buffer) ?? [],
};
