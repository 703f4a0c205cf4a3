const LINE = 100;

/** A piece of JSON: text, or the target of a `$ref` member. */
export type JsonPiece = string | { readonly reference: string };

/** Writes JSON for a reader: values that fit on a line stay on one; all others get a line for each member. */
export const laidOutJson = (value: unknown): string => laidOut(value).map(textOf).join('');

/** Writes the same JSON in pieces, so that a reader can be given links instead of references. */
export function laidOut(value: unknown, indent = ''): readonly JsonPiece[] {
  const inner = `${indent} `;
  const isLong = typeof value === 'object' && value !== null && indent.length + JSON.stringify(value).length > LINE;
  return isLong
    ? piecesOf(value, { open: `\n${inner}`, next: `,\n${inner}`, close: `\n${indent}` }, (one) => laidOut(one, inner))
    : onOneLine(value);
}

const textOf = (piece: JsonPiece): string =>
  typeof piece === 'string' ? piece : `"$ref":${JSON.stringify(piece.reference)}`;

const onOneLine = (value: unknown): readonly JsonPiece[] =>
  typeof value === 'object' && value !== null
    ? piecesOf(value, { open: '', next: ',', close: '' }, onOneLine)
    : [JSON.stringify(value)];

/** The white space and commas of an array or object. */
interface Spacing {
  readonly open: string;
  readonly next: string;
  readonly close: string;
}

function piecesOf(
  value: object,
  { open, next, close }: Spacing,
  write: (one: unknown) => readonly JsonPiece[],
): readonly JsonPiece[] {
  const [left, right] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([name, one]): readonly JsonPiece[] =>
        name === '$ref' && typeof one === 'string' ? [{ reference: one }] : [`${JSON.stringify(name)}:`, ...write(one)],
      );
  return [`${left}${open}`, ...parts.flatMap((part, at) => (at === 0 ? part : [next, ...part])), `${close}${right}`];
}
