import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import { requestIdSchema } from '../primitives/scalars.schema.js';
import { findingSchema } from './finding.js';
import { MODULE_CODES, type ModuleCode } from './modules.catalogue.js';
import { REVIEWER_CATALOGUE, type ReviewerOwnCode } from './reviewer.catalogue.js';

/** Every code that a reviewer's route can answer. */
export type ReviewerCode = ModuleCode | ReviewerOwnCode;
export const REVIEWER_CODES = [...MODULE_CODES, ...(Object.keys(REVIEWER_CATALOGUE) as ReviewerOwnCode[])] as [
  ReviewerCode,
  ...ReviewerCode[],
];

export const reviewerFindingSchema = findingSchema
  .extend({ code: z.enum(REVIEWER_CODES) })
  .meta({ id: 'ReviewerFinding' });

/** Error body of the reviewer's routes: that of the module routes over their own codes. */
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
