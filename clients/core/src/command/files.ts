import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A file that cannot be read or created. The message never contains its path or the system's text. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

/** The system's code of a fault, such as ENOENT. */
export const errorCode = (error: unknown): string => {
  const code = String((error as { readonly code?: unknown } | null)?.code);
  return /^E[A-Z0-9]{1,20}$/.test(code) ? code : 'EIO';
};

/**
 * Reads a regular file of at most `maxBytes`.
 *
 * @throws {FileFault} if it cannot be read or is no regular file, and `tooLarge` if it is larger.
 */
export function readBoundedFile(file: string, maxBytes: number, tooLarge: Error): Uint8Array {
  let descriptor: number;
  try {
    // Non-blocking, so that a named pipe is refused below instead of waited for.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new FileFault(`cannot be opened (${errorCode(error)})`);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new FileFault('is not a regular file');
    if (stat.size > maxBytes) throw tooLarge;
    return readUpTo(descriptor, stat.size, maxBytes, tooLarge);
  } catch (error) {
    if (error instanceof FileFault || error === tooLarge) throw error;
    throw new FileFault(`cannot be read (${errorCode(error)})`);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the actual end, which a growing file may have moved. */
function readUpTo(descriptor: number, expected: number, maxBytes: number, tooLarge: Error): Uint8Array {
  let buffer = Buffer.alloc(expected + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > maxBytes) throw tooLarge;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(Math.min(buffer.length, maxBytes + 1))]);
  }
}

/** The system sends SIGXFSZ when a file may not grow; the write then fails with EFBIG. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGXFSZ'] as const;
const hold = (): void => undefined;

/**
 * Creates a file that must not exist yet, mode 0600, and forces it and its directory entry to disk. The last path component is
 * never followed as a link; a write that fails or is interrupted leaves no partial file behind. A signal that arrives during
 * the write takes effect after it.
 *
 * @throws {FileFault}
 */
export function writeNewFile(file: string, bytes: Uint8Array): void {
  for (const signal of INTERRUPTIONS) process.on(signal, hold);
  try {
    createWhole(file, bytes);
  } finally {
    for (const signal of INTERRUPTIONS) process.off(signal, hold);
  }
}

function createWhole(file: string, bytes: Uint8Array): void {
  let descriptor: number;
  try {
    descriptor = openSync(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
  } catch (error) {
    const code = errorCode(error);
    throw new FileFault(
      code === 'EEXIST' || code === 'ELOOP'
        ? 'exists already; files are never overwritten'
        : `cannot be created (${code})`,
    );
  }
  let isOpen = true;
  try {
    fchmodSync(descriptor, 0o600);
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
    closeSync(descriptor);
    isOpen = false;
    syncDirectory(dirname(file));
  } catch (error) {
    if (isOpen) closeSync(descriptor);
    // The exclusive open above created this file, so it belongs to this call.
    unlinkSync(file);
    throw new FileFault(`cannot be written (${errorCode(error)})`);
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
