import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { VerifyError } from './verify.error.js';

/** Reads a regular file; null if it is longer than `maxBytes`, which is for the command to judge. @throws {VerifyError} */
export function readBoundedFile(file: string, maxBytes: number): Uint8Array | null {
  const failed = (): VerifyError => new VerifyError('VERIFY_IO_ERROR', 'The file cannot be read, or is no regular file.');
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw failed();
  }
  try {
    const { size } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile()) throw failed();
    if (size > maxBytes) return null;
    const bytes = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const read = readSync(descriptor, bytes, length, size - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
