import { givenName, parseStrictJson } from '@launch/contracts/json';
import { decodeBase64 } from '@launch/contracts/primitives';
import type { LaunchFinding } from './launch-facts.js';

/** Lines of a source around a fault. */
export interface SourceExcerpt {
  readonly file: string;
  /** The first line of the fault, from 1. */
  readonly line: number;
  /** The column of its first character, from 1. */
  readonly column: number;
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isMarked: boolean }[];
}

/** The part of a request that a finding names. */
export type FindingPlace =
  | { readonly is: 'lines'; readonly excerpt: SourceExcerpt }
  | { readonly is: 'file'; readonly file: string }
  | { readonly is: 'value'; readonly text: string };

const CONTEXT_LINES = 2;
const LONGEST_LINE = 400;
const LONGEST_MARKED = 8;

/**
 * Returns the lines of a source that a span of the compiler covers, with two lines around them.
 * @param start offset in UTF-8 bytes, as solc counts
 * @param end offset behind the last byte
 * @returns null for a span outside the source
 */
export function excerptOf(file: string, source: Uint8Array, start: number, end: number): SourceExcerpt | null {
  if (start < 0 || start > source.length || end < start) return null;
  const decoder = new TextDecoder();
  const before = decoder.decode(source.subarray(0, start));
  const lines = decoder.decode(source).split(/\r?\n/);
  const line = before.split(/\r?\n/).length;
  const covered = decoder.decode(source.subarray(start, Math.max(start, Math.min(end, source.length) - 1)));
  const last = Math.min(line + covered.split(/\r?\n/).length - 1, line + LONGEST_MARKED - 1);
  const column = before.length - (before.lastIndexOf('\n') + 1) + 1;
  const first = Math.max(1, line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, Math.min(lines.length, last + CONTEXT_LINES));
  return {
    file,
    line,
    column,
    lines: shown.map((text, index) => ({
      number: first + index,
      text: text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text,
      isMarked: first + index >= line && first + index <= last,
    })),
  };
}

const SPAN = /^\w+(?: \d+)? at (?<file>.+):(?<start>\d+)-(?<end>\d+)$/s;
const WHOLE_FILE = /^\w+(?: \d+)? in (?<file>.+)$/s;

/** Reads the place that the compiler gave: a file, and a span of bytes where it has one. */
export function spanIn(
  actual: string,
): { readonly file: string; readonly span: readonly [number, number] | null } | null {
  const spanned = SPAN.exec(actual)?.groups;
  if (spanned !== undefined)
    return { file: spanned['file']!, span: [Number(spanned['start']), Number(spanned['end'])] };
  const whole = WHOLE_FILE.exec(actual)?.groups;
  return whole === undefined ? null : { file: whole['file']!, span: null };
}

/** The value that a JSON Pointer names in a document; undefined for one that names nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const UNIT = /^\/compilerVerification\/compilationUnits\/(\d+)(?:\/|$)/;
const LISTED_FILE = /^(\/source\/(?:manifest|additionalFiles)\/\d+)(?:\/|$)/;
const LONGEST_VALUE = 200;

/** Returns the part of a request that a finding is about, or null where its path names none. */
export function placeOf(finding: Pick<LaunchFinding, 'path' | 'actual'>, request: unknown): FindingPlace | null {
  const unit = UNIT.exec(finding.path)?.[1];
  const found = unit === undefined || finding.actual === null ? null : spanIn(finding.actual);
  if (found !== null) {
    const content = sourcesOf(request, Number(unit)).get(found.file);
    const excerpt =
      content === undefined || found.span === null
        ? null
        : excerptOf(found.file, new TextEncoder().encode(content), ...found.span);
    return excerpt === null ? { is: 'file', file: found.file } : { is: 'lines', excerpt };
  }
  const listed = LISTED_FILE.exec(finding.path)?.[1];
  if (listed !== undefined) {
    const file = valueAt(request, `${listed}/path`);
    if (typeof file === 'string') return { is: 'file', file };
  }
  if (finding.path === '') return null;
  const value = valueAt(request, finding.path);
  if (value === undefined) return null;
  const text = JSON.stringify(value) ?? '';
  return { is: 'value', text: text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text };
}

/** Returns the sources of a compilation unit by their names. A unit that cannot be read has none: a finding says so. */
function sourcesOf(request: unknown, unit: number): ReadonlyMap<string, string> {
  const base64 = valueAt(request, `/compilerVerification/compilationUnits/${unit}/standardJsonInputBase64`);
  const input = typeof base64 === 'string' ? readable(base64) : null;
  const sources = valueAt(input, '/sources');
  if (typeof sources !== 'object' || sources === null) return new Map();
  return new Map(
    Object.entries(sources).flatMap(([name, source]) => {
      const content = valueAt(source, '/content');
      return typeof content === 'string' ? [[givenName(name), content] as const] : [];
    }),
  );
}

function readable(base64: string): unknown {
  try {
    return parseStrictJson(decodeBase64(base64));
  } catch {
    return null;
  }
}

/** Parses the bytes of a request. @returns null for bytes that are no strict JSON, which a finding says */
export function requestOf(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes);
  } catch {
    return null;
  }
}

const NATIVE = `0x${'0'.repeat(40)}`;

/** Returns the token of a request: the currency of its pool beside the native one. Null if the request names none. */
export function tokenOf(request: unknown): string | null {
  const key = valueAt(request, '/graphBundle/officialPool/poolKey');
  const currencies = [valueAt(key, '/currency0'), valueAt(key, '/currency1')];
  const token = currencies.find((currency) => currency !== NATIVE);
  return currencies.includes(NATIVE) && typeof token === 'string' ? token : null;
}
