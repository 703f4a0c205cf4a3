import { z } from 'zod';
import { ERROR_CODES, LAYERS, REMEDIATION_ACTIONS } from '../errors/catalogue.js';
import type { Finding } from '../errors/finding.js';
import { LIMITS } from '../primitives/limits.js';
import { requestIdSchema } from '../primitives/scalars.schema.js';

/** A finding on the wire, within the bounds of its texts. */
export const findingSchema = z
  .strictObject({
    code: z.enum(ERROR_CODES),
    layer: z.enum(LAYERS),
    severity: z.enum(['error', 'warning']),
    path: z
      .string()
      .max(1024)
      .describe('JSON Pointer (RFC 6901) into the request. An empty string names the whole request.'),
    message: z.string().max(1024),
    expected: z.string().max(512).nullable(),
    actual: z.string().max(512).nullable(),
    remediation: z.strictObject({ action: z.enum(REMEDIATION_ACTIONS), detail: z.string().max(1024) }),
    docs: z.string().max(256),
  })
  .meta({ id: 'Finding' }) satisfies z.ZodType<Finding>;

/** Error body of the custom-launch and multi-role routes. */
export const errorBodySchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      requestId: requestIdSchema,
      retryable: z.boolean(),
      retryAfterSeconds: z.number().int().nonnegative().nullable(),
      statusUrl: z.string().nullable(),
      findings: z.array(findingSchema).max(LIMITS.findings),
    }),
  })
  .meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof errorBodySchema>;
