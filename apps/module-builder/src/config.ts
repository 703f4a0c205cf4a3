import { blobLocation } from '@launch/blob-store';
import { parseReviewerPolicy, type ReviewerPolicy } from '@launch/contracts/modules';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { integer, loadConfig, secretTextFile, temporalFields, textFile, workerFields } from '@launch/platform';
import { z } from 'zod';

/** The document of a reviewer policy. */
const reviewerPolicyFile = () =>
  textFile().transform((text, context): ReviewerPolicy => {
    const parsed = parseReviewerPolicy(text);
    if ('policy' in parsed) return parsed.policy;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  });

export const configSchema = z.object({
  ...workerFields,
  ...temporalFields(NAMESPACES.modules),
  /** Plans, submissions and their files, which it only reads. */
  BLOB_STORE: blobLocation(),
  /** Results of builds, the only store that it writes to. */
  BUILD_RESULTS_STORE: blobLocation(),
  /** The reviewer policy: its document. */
  REVIEWER_POLICY_FILE: reviewerPolicyFile(),
  /** PKCS#8 PEM of the Ed25519 key whose public half the policy names: the builder's only secret. */
  BUILD_SIGNING_KEY_FILE: secretTextFile(),
  /** Builds at once. Two GiB of memory each: the compiler's, and that of the process that reads what it gives. */
  BUILD_CONCURRENCY: integer(1, 8).default(1),
});
export type BuilderConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadBuilderConfig = (): BuilderConfig => loadConfig(configSchema);
