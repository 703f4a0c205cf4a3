import { reviewerPolicySchema, type ReviewerPolicy } from '@launch/contracts';
import { assertCanonicalJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { integer, loadConfig, secretTextFile, temporalFields, textFile, workerFields } from '@launch/platform';
import { z } from 'zod';

/** The document of a reviewer policy, as it is addressed: canonical JSON. */
const reviewerPolicyFile = () =>
  textFile().transform((text, context): ReviewerPolicy => {
    const value = canonicalValue(text);
    const parsed = reviewerPolicySchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [first] = parsed.error.issues;
    const problem =
      value === undefined ? 'must be canonical JSON' : `${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`;
    context.addIssue({ code: 'custom', message: `names no reviewer policy: ${problem}` });
    return z.NEVER;
  });

function canonicalValue(text: string): JsonValue | undefined {
  try {
    return assertCanonicalJson(new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

const configSchema = z.object({
  ...workerFields,
  ...temporalFields,
  BLOB_DIR: z.string().min(1),
  /** The reviewer policy: its document. */
  REVIEWER_POLICY_FILE: reviewerPolicyFile(),
  /** PKCS#8 PEM of the Ed25519 key whose public half the policy names: the builder's only secret. */
  BUILD_SIGNING_KEY_FILE: secretTextFile(),
  /** The commit that this program was made from; absent in a working copy. */
  SOURCE_COMMIT: z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'must be a commit, 40 hex digits')
    .optional(),
  /** Builds at once. A GiB of memory each. */
  BUILD_CONCURRENCY: integer(1, 8).default(1),
});
export type BuilderConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadBuilderConfig = (): BuilderConfig => loadConfig(configSchema);
