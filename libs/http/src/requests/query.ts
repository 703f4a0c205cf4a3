import { finding } from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';
import { expectedForm } from '@launch/contracts/validation';
import { z } from 'zod';
import { ApiError } from '../errors/api.error.js';

/** The most cached queries of each schema, and the largest length of one. */
const KEPT = 256;
const KEPT_LENGTH = 512;
/** Parsed queries by schema and text, oldest first. */
const read = new WeakMap<z.ZodObject, Map<string, object>>();

/**
 * Parses the parameters of a query: each known, and each at most once. Caches the result, because clients request the
 * same few pages.
 * @param raw the query as sent, without the question mark.
 * @throws ApiError `QUERY_INVALID` with every finding.
 */
export function readQuery<S extends z.ZodObject>(raw: string, schema: S): Readonly<z.output<S>> {
  let kept = read.get(schema);
  if (kept === undefined) read.set(schema, (kept = new Map()));
  const known = kept.get(raw);
  if (known !== undefined) return known as z.output<S>;
  const query = Object.freeze(parseQuery(raw, schema));
  if (raw.length <= KEPT_LENGTH) {
    kept.set(raw, query);
    if (kept.size > KEPT) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
  }
  return query;
}

function parseQuery<S extends z.ZodObject>(raw: string, schema: S): z.output<S> {
  const sent = new URLSearchParams(raw);
  const known = Object.keys(schema.shape);
  const faults = [...new Set(sent.keys())]
    .filter((name) => !known.includes(name) || sent.getAll(name).length > 1)
    .slice(0, 32)
    .map((name) => ({ name: name.slice(0, 64), expected: `${known.join(' and ')}, each at most once` }));
  const outcome = schema.safeParse(
    Object.fromEntries(known.flatMap((name) => (sent.has(name) ? [[name, sent.get(name)]] : []))),
    { error: expectedForm },
  );
  for (const { path, message } of outcome.error?.issues ?? []) faults.push({ name: path.join('/'), expected: message });
  if (outcome.success && faults.length === 0) return outcome.data;
  throw new ApiError('QUERY_INVALID', {
    findings: faults.map(({ name, expected }) => finding('QUERY_INVALID', `/${name}`, { expected })),
    detailedFindings: faults.map(({ name, expected }) =>
      finding('QUERY_INVALID', `/${name}`, { expected, actual: described(sent.getAll(name), known.includes(name)) }),
    ),
  });
}

/** Values up to this length contain no secret. */
const REPEATED_LENGTH = 16;

/** Describes a parameter's value without repeating a long one: a careless client may put its key there. */
function described(values: readonly string[], isKnown: boolean): string {
  const [value] = values;
  if (value === undefined || values.length > 1) return `${values.length} of them`;
  return isKnown && value.length <= REPEATED_LENGTH ? value : `${value.length} characters`;
}

const LIMIT = { error: `1 to ${LIMITS.listMax}` };

type CursorSchema = z.ZodOptional<z.ZodString>;
const CURSOR_DESCRIPTION = 'Opaque cursor: the `nextCursor` of the previous page.';
/** The codec refuses a cursor that is longer than its own. */
const CURSOR = z.string().optional().meta({ description: CURSOR_DESCRIPTION, maxLength: 512 });

/** Creates the schema of a cursor whose length is part of the query's validation. */
export const boundedCursor = (maxCharacters: number): CursorSchema =>
  z
    .string()
    .min(1, `1 to ${maxCharacters} characters`)
    .max(maxCharacters, `1 to ${maxCharacters} characters`)
    .optional()
    .meta({ description: CURSOR_DESCRIPTION });

/**
 * Creates the query schema of a list: `limit`, without leading zeros, and the `cursor` of the previous page, which the
 * cursor codec judges.
 */
export const listQuerySchema = (defaultLimit: number, cursor: CursorSchema = CURSOR) =>
  z.strictObject({
    limit: z
      .string()
      .regex(/^[1-9][0-9]?$/, LIMIT)
      .transform(Number)
      .pipe(z.int().min(1, LIMIT).max(LIMITS.listMax, LIMIT))
      .default(defaultLimit)
      .describe('Number of items on a page.'),
    cursor,
  });
export type ListQuery = z.output<ReturnType<typeof listQuerySchema>>;
