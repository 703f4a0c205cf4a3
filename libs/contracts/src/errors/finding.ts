import { z } from 'zod';
import { ERROR_CODES, LAYERS, REMEDIATION_ACTIONS } from './catalogue.js';
import { LIMITS } from '../primitives/limits.js';
import { requestIdSchema } from '../primitives/scalars.schema.js';

/** One thing wrong with a request: where, what was expected, and the way out. Never carries source, keys or private paths. */
export const findingSchema = z
  .strictObject({
    code: z.enum(ERROR_CODES),
    layer: z.enum(LAYERS),
    severity: z.enum(['error', 'warning']),
    path: z.string().max(1024).describe('RFC 6901 pointer into the request, "" for the whole'),
    message: z.string().max(1024),
    expected: z.string().max(512).nullable(),
    actual: z.string().max(512).nullable(),
    remediation: z.strictObject({ action: z.enum(REMEDIATION_ACTIONS), detail: z.string().max(1024) }),
    docs: z.string().max(256),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof findingSchema>;

/** Layer order, then pointer, then code; bounded. Every answer lists findings in this order. */
export function orderFindings<Found extends Omit<Finding, 'code'> & { code: string }>(
  findings: readonly Found[],
): Found[] {
  const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...findings]
    .sort(
      (a, b) =>
        LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || byCodePoint(a.path, b.path) || byCodePoint(a.code, b.code),
    )
    .slice(0, LIMITS.findings);
}

const encoder = new TextEncoder();

/**
 * The same list cut to what a workflow may carry: a step's verdict, whatever a hostile request
 * earned, stays well inside one payload. The first findings in order are kept.
 */
export function travellingFindings<Found extends Omit<Finding, 'code'> & { code: string }>(
  findings: readonly Found[],
): Found[] {
  let bytes = 0;
  const ordered = orderFindings(findings);
  const end = ordered.findIndex(
    (one) => (bytes += encoder.encode(JSON.stringify(one)).length + 1) > LIMITS.verdictBytes,
  );
  return end === -1 ? ordered : ordered.slice(0, end);
}

/** Error body of the V4 and multi-role routes. */
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
