import { readOrigin } from '@launch/client-core/transport';
import { LIMITS, uuidSchema } from '@launch/contracts/primitives';
import { ModuleCliError } from './module-cli.error.js';
import type { World } from './run-module-cli.js';
import type { Service } from './service.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Options = Readonly<Record<string, string>>;

const KEY_NAME = 'SERVICE_MODULES_API_KEY';
const DEFAULT_TIMEOUT_MS = 20_000;

const argument = (option: string): ModuleCliError =>
  ModuleCliError.own('MODULE_CLI_ARGUMENTS_INVALID', { path: `--${option}` });

/** Reads the key: printable ASCII without spaces, so that it can only be a header value. */
export function readKey(environment: Environment): string {
  const key = environment[KEY_NAME] ?? '';
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) throw ModuleCliError.own('MODULE_CLI_ENVIRONMENT_INVALID', { path: KEY_NAME });
  return key;
}

/** Shorter words are not keys of the service, and occur in texts by chance. */
const LEAST_KEY_LENGTH = 16;

/** Returns whether a text contains the key. */
export const holdsKey = (text: Buffer, key: string): boolean =>
  key.length >= LEAST_KEY_LENGTH ? text.includes(key) : text.toString('utf8') === key;

/** @throws {ModuleCliError} if an argument contains the key: other users of the machine can read the arguments of a process. */
export function refuseKeyInArguments(argv: readonly string[], environment: Environment): void {
  const key = environment[KEY_NAME] ?? '';
  if (key !== '' && argv.some((argument) => holdsKey(Buffer.from(argument), key)))
    throw ModuleCliError.own('MODULE_CLI_ARGUMENTS_INVALID', { path: KEY_NAME });
}

export function readService(options: Options, { patience }: Pick<World, 'patience'>): Service {
  const read = readOrigin(options['api-origin']!);
  if ('fault' in read) throw argument('api-origin');
  return {
    origin: read.origin,
    timeoutMs: Number(options['timeout-ms'] ?? DEFAULT_TIMEOUT_MS),
    patience: options['retry'] === undefined ? null : patience,
  };
}

/** Reads the UUID of an option; null without the option. */
export function readUuid(options: Options, option: 'id' | 'cursor' | 'supersedes'): string | null {
  const text = options[option];
  if (text === undefined) return null;
  if (!uuidSchema.safeParse(text).success) throw argument(option);
  return text;
}

export function readIdempotencyKey(options: Options): string {
  const key = options['idempotency-key']!;
  if (!LIMITS.idempotencyKeyPattern.test(key)) throw argument('idempotency-key');
  return key;
}

/** Returns which of two options names the submission. */
export function readSubmitted({
  request,
  package: descriptor,
}: Options): { readonly request: string } | { readonly package: string } {
  if (request !== undefined && descriptor === undefined) return { request };
  if (descriptor !== undefined && request === undefined) return { package: descriptor };
  throw argument('request');
}
