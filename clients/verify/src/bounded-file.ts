import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { VerifyError } from './verify.error.js';

/** Reads a regular file. Returns null if it is longer than `maxBytes`, which the command judges. @throws {VerifyError} */
export function readBoundedFile(file: string, maxBytes: number): Uint8Array | null {
  const failed = (): VerifyError =>
    new VerifyError('VERIFY_IO_ERROR', 'The file cannot be read, or is no regular file.');
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw failed();
    if (status.size > maxBytes) return null;
    const bytes = Buffer.alloc(status.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch {
    throw failed();
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
