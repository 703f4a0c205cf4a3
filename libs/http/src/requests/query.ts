import { finding } from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';
import { z } from 'zod';
import { ApiError } from '../errors/api.error.js';

/** Queries of each schema that are kept; one of this length at most. */
const KEPT = 256;
const KEPT_LENGTH = 512;
/** By their schema and text, the oldest first. */
const read = new WeakMap<z.ZodObject, Map<string, object>>();

/**
 * The parameters of a query, each at most once and no others. A query that was read before is not read again: readers ask
 * for the same few pages.
 * @param raw the query as it was sent, without the question mark.
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
  );
  for (const { path, message } of outcome.error?.issues ?? []) faults.push({ name: path.join('/'), expected: message });
  if (outcome.success && faults.length === 0) return outcome.data;
  throw new ApiError('QUERY_INVALID', {
    findings: faults.map(({ name, expected }) => finding('QUERY_INVALID', `/${name}`, { expected })),
    wholeFindings: faults.map(({ name, expected }) =>
      finding('QUERY_INVALID', `/${name}`, { expected, actual: told(sent.getAll(name), known.includes(name)) }),
    ),
  });
}

/** Values up to this long hold no secret. */
const REPEATED_LENGTH = 16;

/** What came of a parameter. What may be anything is not repeated: a careless client puts its key there. */
function told(values: readonly string[], isKnown: boolean): string {
  const [value] = values;
  if (value === undefined || values.length > 1) return `${values.length} of them`;
  return isKnown && value.length <= REPEATED_LENGTH ? value : `${value.length} characters`;
}

const LIMIT = { error: `1 to ${LIMITS.listMax}` };

type CursorSchema = z.ZodOptional<z.ZodString>;
const CURSOR_DESCRIPTION = 'Opaque; `nextCursor` of the page before.';
/** The codec refuses what is too long to be its own. */
const CURSOR = z.string().optional().meta({ description: CURSOR_DESCRIPTION, maxLength: 512 });

/** A cursor whose length is a form of the query. */
export const boundedCursor = (maxCharacters: number): CursorSchema =>
  z
    .string()
    .min(1, `1 to ${maxCharacters} characters`)
    .max(maxCharacters, `1 to ${maxCharacters} characters`)
    .optional()
    .meta({ description: CURSOR_DESCRIPTION });

/** The query of a list: `limit`, without leading zeros, and the `cursor` of the page before, which the cursor codec judges. */
export const listQuerySchema = (defaultLimit: number, cursor: CursorSchema = CURSOR) =>
  z.strictObject({
    limit: z
      .string()
      .regex(/^[1-9][0-9]?$/, LIMIT)
      .transform(Number)
      .pipe(z.int().min(1, LIMIT).max(LIMITS.listMax, LIMIT))
      .default(defaultLimit)
      .describe('Rows a page.'),
    cursor,
  });
export type ListQuery = z.output<ReturnType<typeof listQuerySchema>>;
