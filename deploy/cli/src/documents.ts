import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '@launch/client-core/command';
import { parseStrictJson } from '@launch/contracts/json';
import type { z } from 'zod';
import { DeployError } from './deploy.error.js';

/**
 * Reads the file that an option names.
 *
 * @throws {DeployError} FILE_NOT_READ, and DOCUMENT_INVALID for more than `maxBytes`.
 */
export function readNamed(option: string, file: string, maxBytes: number): Uint8Array {
  try {
    if (statSync(file).size > maxBytes)
      throw new DeployError(
        'DOCUMENT_INVALID',
        `${option} ${file} has more than ${maxBytes} bytes`,
        'Name the document itself.',
      );
    return readFileSync(file);
  } catch (error) {
    if (error instanceof DeployError) throw error;
    const code = errorCode(error);
    throw new DeployError(
      'FILE_NOT_READ',
      `${option} ${file} cannot be read (${code})`,
      code === 'EACCES' ? 'Run the command as a user that may read it, with sudo for example.' : 'Correct the path.',
    );
  }
}

/**
 * Reads the JSON document that an option names.
 *
 * @throws {DeployError} FILE_NOT_READ, and DOCUMENT_INVALID for no JSON.
 */
export function readJson(option: string, file: string, maxBytes: number): unknown {
  const bytes = readNamed(option, file, maxBytes);
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    throw new DeployError('DOCUMENT_INVALID', `${option} ${file}: ${messageOf(error)}`, 'Write the document as JSON.');
  }
}

/**
 * Returns a document in the form of its schema.
 *
 * @throws {DeployError} DOCUMENT_INVALID with a line for each member that is wrong.
 */
export function parseDocument<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidDocument(name, result.error);
}

/** Turns the issues of a schema into an error with a line for each. */
export function invalidDocument(name: string, { issues }: z.ZodError): DeployError {
  const lines = issues.map((issue) => `${name}: ${issue.path.join('.') || 'document'}: ${issue.message}`);
  return new DeployError(
    'DOCUMENT_INVALID',
    lines.join('\n'),
    `Correct the ${name}; deploy/README.md describes each member.`,
  );
}

/**
 * Creates the file that an option names, readable by everyone.
 *
 * @throws {DeployError} TARGET_EXISTS, FILE_NOT_WRITTEN
 */
export function createNamed(option: string, file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const code = errorCode(error);
    throw code === 'EEXIST'
      ? new DeployError(
          'TARGET_EXISTS',
          `${option} ${file} exists, and no document is overwritten`,
          'Name another file, or move the existing one away.',
        )
      : notWritten(file, error);
  }
}

/** Replaces a file in one step: a process that reads it meanwhile finds the earlier document or this one, whole. */
export function replaceWhole(file: string, bytes: Uint8Array): void {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.new`);
  try {
    writeFileSync(draft, bytes);
    chmodSync(draft, 0o644);
    renameSync(draft, file);
  } catch (error) {
    throw notWritten(file, error);
  }
}

export const notWritten = (file: string, error: unknown): DeployError =>
  new DeployError(
    'FILE_NOT_WRITTEN',
    `${file} cannot be written (${errorCode(error)})`,
    'Create its folder, free space, or run the command as a user that may write there.',
  );

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
