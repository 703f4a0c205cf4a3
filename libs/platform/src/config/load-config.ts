import type { z } from 'zod';
import { readBounded } from './bounded-file.js';

/** Reports an invalid configuration: which variables are wrong and why, never their values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  constructor(readonly problems: readonly { variable: string; problem: string }[]) {
    super(`configuration: ${problems.map(({ variable, problem }) => `${variable}: ${problem}`).join('; ')}`);
  }
}

const given = (env: NodeJS.ProcessEnv, name: string): string | undefined => (env[name] === '' ? undefined : env[name]);

/**
 * Reads a service's configuration from its environment with one schema, and reports all problems at once. Empty
 * variables count as absent. The schema's keys are names of variables. `<NAME>_FILE` may instead name a file with the
 * value, at most 64 KiB, whose surrounding whitespace is ignored. This way, a URL with a password or a key is mounted
 * as a secret and appears in no environment and no compose file.
 * @throws ConfigError
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const problems: { variable: string; problem: string }[] = [];
  const input: Record<string, string | undefined> = {};
  for (const name of Object.keys(schema.shape)) {
    const variable = `${name}_FILE`;
    const file = variable in schema.shape ? undefined : given(env, variable);
    input[name] = given(env, name) ?? (file === undefined ? undefined : readBounded(file)?.toString('utf8').trim());
    if (file === undefined) continue;
    if (given(env, name) !== undefined)
      problems.push({ variable, problem: `is given beside ${name}; give one of them` });
    else if (!input[name])
      problems.push({ variable, problem: 'must name a readable file of at most 64 KiB that is not empty' });
  }
  const result = schema.safeParse(input);
  if (result.success && problems.length === 0) return result.data;
  const unread = new Set(problems.map(({ variable }) => variable));
  for (const issue of result.error?.issues ?? []) {
    const variable = String(issue.path[0] ?? '(whole)');
    if (unread.has(`${variable}_FILE`)) continue;
    problems.push({
      variable,
      problem: input[variable] === undefined && issue.path.length > 0 ? 'is required' : issue.message,
    });
  }
  throw new ConfigError(problems);
}
