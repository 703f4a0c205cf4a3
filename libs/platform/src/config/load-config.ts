import type { z } from 'zod';

/** Refused configuration: says which variables are wrong and why, never what they held. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  constructor(readonly problems: readonly { variable: string; problem: string }[]) {
    super(`configuration: ${problems.map(({ variable, problem }) => `${variable}: ${problem}`).join('; ')}`);
  }
}

/**
 * Reads a service's configuration from its environment by one schema, all problems at once.
 * Empty variables count as absent. Keys of the schema are names of variables.
 * @throws ConfigError
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv = process.env): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const input = Object.fromEntries(known.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const variable = String(issue.path[0] ?? '(whole)');
      return { variable, problem: input[variable] === undefined && issue.path.length > 0 ? 'is required' : issue.message };
    }),
  );
}
