import { blobLocation } from '@launch/blob-store';
import { parseReviewerPolicy, type ReviewerPolicy } from '@launch/contracts/modules';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { databaseUrl, loadConfig, temporalFields, textFile, workerFields, workerVersionFields } from '@launch/platform';
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
  ...workerVersionFields,
  ...temporalFields(NAMESPACES.modules),
  DATABASE_URL: databaseUrl(),
  BLOB_STORE: blobLocation(),
  /** The reviewer policy: its document. */
  REVIEWER_POLICY_FILE: reviewerPolicyFile(),
});
export type ReviewConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadReviewConfig = (): ReviewConfig => loadConfig(configSchema);
