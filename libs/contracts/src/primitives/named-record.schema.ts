import { z } from 'zod';

/**
 * A record whose names come from source code: libraries, files, storage types. It keeps every member in an object
 * without a prototype; `z.record` would omit one named `__proto__`, and with it the reference to a library of that
 * name.
 */
export const namedRecord = <Value>(
  name: z.ZodType<string>,
  value: z.ZodType<Value>,
): z.ZodType<Readonly<Record<string, Value>>> =>
  z.unknown().transform((given, { issues }) => {
    const record: Record<string, Value> = Object.create(null);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      issues.push({ code: 'invalid_type', expected: 'record', input: given });
      return z.NEVER;
    }
    for (const [key, member] of Object.entries(given)) {
      const [named, read] = [name.safeParse(key), value.safeParse(member)];
      const found = [...(named.error?.issues ?? []), ...(read.error?.issues ?? [])];
      for (const issue of found) issues.push({ ...issue, path: [key, ...issue.path], input: member } as never);
      if (read.success) record[key] = read.data;
    }
    return record;
  });
