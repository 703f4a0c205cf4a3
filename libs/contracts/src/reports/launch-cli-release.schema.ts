import { z } from 'zod';
import { sha256DigestSchema, sourceCommitSchema } from '../primitives/scalars.schema.js';

/** Paths of the program and its manifest. */
export const LAUNCH_CLI_PATH = '/v4/clients/launch-cli';

/** The published program and its origin (docs/reference/custom-launch.md#launch-cli-release). */
export const launchCliReleaseSchema = z
  .strictObject({
    schemaVersion: z.literal('service.launch-cli-release.v1'),
    version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
    apiProfile: z.string().max(64).describe('The funding, admission and request contract that the client supports.'),
    file: z.strictObject({
      path: z.literal('launch.mjs'),
      byteLength: z.int().positive(),
      sha256: sha256DigestSchema,
    }),
    openApiSha256: sha256DigestSchema.describe(
      'Digest of the machine contract of the profile, which readiness and discovery of a deployment of that profile bind.',
    ),
    sourceCommit: sourceCommitSchema.describe('The commit that the client was built from.'),
  })
  .meta({ id: 'LaunchCliRelease' });
export type LaunchCliRelease = z.infer<typeof launchCliReleaseSchema>;
