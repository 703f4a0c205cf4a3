import type { BlobReader } from '@launch/blob-store';
import { declaredDigest, moduleSubmissionSchema, type PlannedSubmission, type Sha256Digest } from '@launch/contracts';
import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import type { DeclaredModule } from '@launch/evm';
import { BuildError } from './build.error.js';

/** A submission as a build reads it. */
export interface ReadSubmission {
  readonly planned: PlannedSubmission;
  readonly declared: DeclaredModule;
}

/**
 * Reads a submission's request by its digest.
 * @throws BuildError `BUILD_INPUT_UNREADABLE` for bytes that intake would not have stored.
 */
export async function readSubmission(blobs: BlobReader, requestDigest: Sha256Digest): Promise<ReadSubmission> {
  const parsed = moduleSubmissionSchema.safeParse(strictJson(await blobs.get(requestDigest)));
  if (!parsed.success) throw new BuildError('BUILD_INPUT_UNREADABLE', 'the submission is no module submission');
  const { package: declared, files } = parsed.data;
  return {
    planned: {
      requestDigest,
      files: files.map(({ path, sha256, contentBase64 }) => ({
        path,
        sha256: declaredDigest(sha256),
        byteCount: byteCountOf(contentBase64),
      })),
      encodedConfigurationBytes: declared.configuration.maxEncodedBytes,
    },
    declared,
  };
}

/** Bytes that a padded base64 text stands for. */
const byteCountOf = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

function strictJson(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new BuildError('BUILD_INPUT_UNREADABLE', 'the submission is no JSON');
  }
}
