import { FileFault, readBoundedFile as readFile, writeNewFile as writeFile } from '@launch/client-core/command';
import { PackError } from './pack.error.js';

/**
 * Reads a regular file of at most `maxBytes`. Errors name the option instead of the file.
 * @throws {PackError} `MULTI_ROLE_PACK_IO_ERROR` if it cannot be read or is no regular file, `tooLarge` if it is larger.
 */
export const readBoundedFile = (file: string, option: string, maxBytes: number, tooLarge: Error): Uint8Array =>
  naming(option, () => readFile(file, maxBytes, tooLarge));

/**
 * Creates a file that must not exist yet, whole or not at all.
 * @throws {PackError} `MULTI_ROLE_PACK_IO_ERROR`.
 */
export const writeNewFile = (file: string, option: string, bytes: Uint8Array): void =>
  naming(option, () => writeFile(file, bytes));

function naming<T>(option: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new PackError('MULTI_ROLE_PACK_IO_ERROR', [{ path: option, message: error.message }]);
  }
}
