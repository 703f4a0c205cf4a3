import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 64 * 1024;

/** Reads the file that a variable names: a whole regular file of at most 64 KiB; undefined for anything else. */
export function readBounded(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    return length > MAX_BYTES ? undefined : buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
