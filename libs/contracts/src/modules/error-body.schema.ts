import { z } from 'zod';
import { MODULE_CODES } from '../errors/modules.catalogue.js';
import { REVIEWER_CODES } from '../errors/reviewer-codes.js';
import { LIMITS } from '../primitives/limits.js';
import { requestIdSchema } from '../primitives/scalars.schema.js';
import { findingSchema } from '../validation/finding.schema.js';

export const moduleFindingSchema = findingSchema.extend({ code: z.enum(MODULE_CODES) }).meta({ id: 'ModuleFinding' });

/** Error body of the module routes: the error body of the launch routes with module codes. */
export const moduleErrorBodySchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(MODULE_CODES),
      message: z.string(),
      requestId: requestIdSchema,
      retryable: z.boolean(),
      retryAfterSeconds: z.number().int().nonnegative().nullable(),
      statusUrl: z.string().nullable(),
      findings: z.array(moduleFindingSchema).max(LIMITS.findings),
    }),
  })
  .meta({ id: 'ModuleErrorBody' });

export const reviewerFindingSchema = findingSchema
  .extend({ code: z.enum(REVIEWER_CODES) })
  .meta({ id: 'ReviewerFinding' });

/** Error body of the reviewer routes: the error body of the module routes with reviewer codes. */
export const reviewerErrorBodySchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(REVIEWER_CODES),
      message: z.string(),
      requestId: requestIdSchema,
      retryable: z.boolean(),
      retryAfterSeconds: z.number().int().nonnegative().nullable(),
      statusUrl: z.string().nullable(),
      findings: z.array(reviewerFindingSchema).max(LIMITS.findings),
    }),
  })
  .meta({ id: 'ReviewerErrorBody' });
