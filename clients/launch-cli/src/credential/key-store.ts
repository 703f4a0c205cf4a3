import { execFileSync } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Environment } from '../command.js';
import { LaunchError } from '../launch.error.js';

const KEY = /^[\x21-\x7e]{1,512}$/;
/** A key, an end of line, and one more byte that shows a longer text. */
const MAX_BYTES = 515;
const COMMAND_MS = 60_000;

const invalid = (message: string): LaunchError => new LaunchError('LAUNCH_CLI_ENVIRONMENT_INVALID', message);

/**
 * Reads the API key: `SERVICE_API_KEY`, else the file that `SERVICE_API_KEY_FILE` names, which no other user may read, else the
 * output of `SERVICE_API_KEY_COMMAND`. The command is a JSON array of strings and is run without a shell.
 * @throws {LaunchError} which names the variable, and neither the key nor what a command printed.
 */
export function readApiKey(environment: Environment): string {
  const { SERVICE_API_KEY: key, SERVICE_API_KEY_FILE: file, SERVICE_API_KEY_COMMAND: command } = environment;
  if (key !== undefined) return checked('SERVICE_API_KEY', key);
  if (file !== undefined) return checked('SERVICE_API_KEY_FILE', withoutEnd(readPrivateFile(file)));
  if (command !== undefined) return checked('SERVICE_API_KEY_COMMAND', withoutEnd(outputOf(command)));
  throw invalid('none of SERVICE_API_KEY, SERVICE_API_KEY_FILE and SERVICE_API_KEY_COMMAND is set');
}

function checked(variable: string, key: string): string {
  if (!KEY.test(key)) throw invalid(`${variable}: the key is not printable ASCII of 1 to 512 characters`);
  return key;
}

const withoutEnd = (text: string): string => text.replace(/\r?\n$/, '');

function readPrivateFile(file: string): string {
  let descriptor: number;
  try {
    // Non-blocking, so that a named pipe is refused below instead of blocking the program.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw invalid('SERVICE_API_KEY_FILE: the file cannot be opened');
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw invalid('SERVICE_API_KEY_FILE: it is not a regular file');
    if ((stat.mode & 0o077) !== 0) throw invalid('SERVICE_API_KEY_FILE: others may read the file; chmod 600 it');
    const buffer = Buffer.alloc(MAX_BYTES);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, MAX_BYTES, 0)).toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

function outputOf(command: string): string {
  const [program, ...argv] = readCommand(command);
  try {
    return execFileSync(program, argv, {
      encoding: 'latin1',
      shell: false,
      // A secret store may prompt at the terminal.
      stdio: ['inherit', 'pipe', 'inherit'],
      timeout: COMMAND_MS,
      maxBuffer: MAX_BYTES,
    });
  } catch {
    throw invalid('SERVICE_API_KEY_COMMAND: the command failed, or printed more than a key');
  }
}

function readCommand(text: string): readonly [string, ...string[]] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const isArgv = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  if (!isArgv) throw invalid('SERVICE_API_KEY_COMMAND: it is not a JSON array of strings');
  return value as [string, ...string[]];
}
