/**
 * RFC 8785 text of plain JSON data whose numbers are safe integers: all that compiler inputs and templates hold.
 * @param {unknown} value
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error(`not a safe integer: ${value}`);
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('lone surrogate');
  if (value === undefined) throw new Error('undefined is not JSON');
  return JSON.stringify(value);
}
