import { parseStrictJson, StrictJsonError, type JsonValue } from '../json/index.js';
import { moduleSubmissionSchema, type ModuleSubmission } from './package.schema.js';
import type { PackagedFile } from './plan-problem.js';
import { declaredDigest } from './submission-findings.js';

/** Parses a stored request of a submission; null for bytes that intake would not have stored. */
export function storedSubmission(bytes: Uint8Array): ModuleSubmission | null {
  const parsed = moduleSubmissionSchema.safeParse(strictJson(bytes));
  return parsed.success ? parsed.data : null;
}

/** Returns its files in their own order, without the bytes. */
export const packagedFiles = ({ files }: Pick<ModuleSubmission, 'files'>): PackagedFile[] =>
  files.map(({ path, sha256, contentBase64 }) => ({
    path,
    sha256: declaredDigest(sha256),
    byteCount: byteCountOf(contentBase64),
  }));

/** Returns the decoded length of a padded base64 text. */
const byteCountOf = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

function strictJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}
