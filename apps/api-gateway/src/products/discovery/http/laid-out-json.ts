const LINE = 100;

/** Writes JSON for a reader: what fits into a line is one, everything else has a line a member. */
export function laidOutJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE) return line;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((one) => laidOutJson(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${laidOutJson(one, inner)}`);
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}
