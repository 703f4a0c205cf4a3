import { z } from 'zod';
import { sha256DigestSchema } from '../primitives/scalars.schema.js';
import {
  MODULE_API_SCHEMA,
  MODULE_CAPABILITIES_SCHEMA,
  MODULE_LIMITS,
  MODULE_SUBMISSION_SCHEMA,
} from './module-limits.js';

const upTo = (most: number) => z.number().int().positive().max(most);

/** Operations and limits that apply to a client now (docs/reference/modules.md#module-capabilities). */
export const moduleCapabilitiesSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_CAPABILITIES_SCHEMA),
    moduleContributions: z.strictObject({
      /** If false, the service refuses drafts; reads and replays continue. */
      submissions: z.boolean(),
      maxFiles: upTo(MODULE_LIMITS.maxFiles),
      maxFileBytes: upTo(MODULE_LIMITS.maxFileBytes),
      maxTotalBytes: upTo(MODULE_LIMITS.maxTotalBytes),
      maxRequestBytes: upTo(MODULE_LIMITS.maxRequestBytes),
    }),
    /** Whether wallet sign-in issues module keys; otherwise the operator issues them. */
    apiKeyIssuance: z.boolean(),
    wireContract: z.literal(MODULE_API_SCHEMA),
    submissionSchema: z.literal(MODULE_SUBMISSION_SCHEMA),
    buildProfiles: z.array(z.string().min(1).max(64)).max(16),
    clients: z
      .array(
        z.strictObject({
          version: z.string().min(1).max(64),
          path: z.string().regex(/^\//).max(256),
          contentSha256: sha256DigestSchema,
          commands: z.array(z.string().min(1).max(64)).max(32),
        }),
      )
      .max(16),
    operations: z.strictObject({ submit: z.boolean(), read: z.boolean(), reviewStatus: z.boolean() }),
  })
  .meta({ id: 'ModuleCapabilities' });
export type ModuleCapabilities = z.infer<typeof moduleCapabilitiesSchema>;
