import { z } from 'zod';
import { readBounded } from './bounded-file.js';
import { Secret } from './secret.js';

/** A TCP port; 0 requests a free one. */
export const port = () =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port number');

/** A whole number within bounds. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** `true` or `false`; other texts are invalid. */
export const flag = () => z.enum(['true', 'false']).transform((value) => value === 'true');

/** An absolute URL with one of the given protocols (`http:`, `postgresql:` …). */
export const url = (...protocols: readonly string[]) =>
  z
    .string()
    .max(2_048)
    .refine(
      (value) => {
        const parsed = URL.parse(value);
        return parsed !== null && protocols.includes(parsed.protocol);
      },
      `must be a URL with protocol ${protocols.join(' or ')}`,
    );

/** A PostgreSQL connection string, which carries a password and is therefore a secret. */
export const databaseUrl = () => url('postgresql:', 'postgres:').transform((value) => new Secret(value));

/** A variable that names a file (at most 64 KiB) with a secret. Its value is the text without a trailing line break. */
export const secretTextFile = (options: { minLength?: number } = {}) =>
  z
    .string()
    .min(1)
    .transform((path, context): Secret<string> => {
      const bytes = readBounded(path);
      const text = bytes?.toString('utf8').replace(/\r?\n$/, '');
      if (text === undefined || text.length < Math.max(1, options.minLength ?? 1)) {
        context.addIssue({
          code: 'custom',
          message:
            text === undefined ? 'must name a readable file of at most 64 KiB' : 'names a file with too short a secret',
        });
        return z.NEVER;
      }
      return new Secret(text);
    });

/** A file that is not secret (a public key, a document), read completely, at most 64 KiB. */
export const textFile = () =>
  z
    .string()
    .min(1)
    .transform((path, context): string => {
      const bytes = readBounded(path);
      if (bytes !== undefined) return bytes.toString('utf8');
      context.addIssue({ code: 'custom', message: 'must name a readable file of at most 64 KiB' });
      return z.NEVER;
    });

/** The variables of every service process, to spread into the service's own `z.object`. */
export const serviceFields = {
  HOST: z.string().min(1).max(255).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

/** The variables of workers, which serve health and metrics on their own port. */
export const workerFields = { ...serviceFields, METRICS_PORT: port().default(0) };

/** The version of a worker that hosts workflows, where Temporal's Worker Controller decides it. */
export const workerVersionFields = {
  TEMPORAL_DEPLOYMENT_NAME: z.string().min(1).max(255).optional(),
  TEMPORAL_WORKER_BUILD_ID: z.string().min(1).max(255).optional(),
};

/** The name of a Temporal namespace. */
export const temporalNamespace = (name: string) => z.string().min(1).max(255).default(name);

/** The variables of a connection to Temporal, by the default name of the service's own namespace. */
export const temporalFields = (namespace: string) => ({
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/:]+:\d{1,5}$/, 'must read host:port')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: temporalNamespace(namespace),
  TEMPORAL_TLS: flag().default(false),
  TEMPORAL_API_KEY_FILE: secretTextFile().optional(),
  /** The name in the server's certificate, if it is not the address. */
  TEMPORAL_SERVER_NAME: z.string().min(1).max(255).optional(),
  /** PEM of the certificates that sign the server's; without it those of Node.js. */
  TEMPORAL_CA_FILE: textFile().optional(),
  /** PEM of the client's certificate and its key, for mutual TLS. */
  TEMPORAL_CLIENT_CERT_FILE: textFile().optional(),
  TEMPORAL_CLIENT_KEY_FILE: secretTextFile().optional(),
  /** Keys that encrypt all arguments and results in the namespace: `<id>=<64 hexadecimal digits>` lines, the current first. */
  TEMPORAL_PAYLOAD_KEYS_FILE: secretTextFile().optional(),
});
