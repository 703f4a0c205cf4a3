const LINE = 100;

/** Writes JSON for a reader: values that fit on a line stay on one; all others get a line for each member. */
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
