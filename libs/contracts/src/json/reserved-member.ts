/**
 * Returns the path to the first member named `__proto__`, or null. Strict JSON keeps such a member like any other.
 * Later code that copies the value into ordinary objects would drop the member, and then hash and judge something else
 * than the bytes.
 */
export function reservedMember(value: unknown): (string | number)[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const below = reservedMember(value[index]);
      if (below !== null) return [index, ...below];
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return [name];
    const below = reservedMember((value as Record<string, unknown>)[name]);
    if (below !== null) return [name, ...below];
  }
  return null;
}
