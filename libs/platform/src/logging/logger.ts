import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { scrub } from './scrub.js';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '"set-cookie"',
  '"x-api-key"',
  'apiKey',
  'privateKey',
  'secret',
  'password',
  'pepper',
  'key',
  'signature',
  'connectionString',
  'databaseUrl',
];

function redactionPaths(): string[] {
  return SECRET_FIELDS.flatMap((field) => {
    const access = field.startsWith('"') ? `[${field}]` : `.${field}`;
    const bare = field.startsWith('"') ? `[${field}]` : field;
    return [bare, `*${access}`, `*.*${access}`];
  });
}

export interface LoggerOptions {
  /** Name of the process, on every line as `service`. */
  service: string;
  level?: string;
  /** Defaults to stdout, written synchronously, so that the last lines before a crash are not lost. */
  destination?: DestinationStream;
}

/**
 * Creates a logger of JSON lines. Replaces fields with credentials by `[redacted]`, and also passwords in URLs, bearer
 * tokens and private keys anywhere in a line.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactionPaths(), censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      hooks: { streamWrite: scrub },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
