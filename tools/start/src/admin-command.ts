import path from 'node:path';
import { writePrivate, type DataFolder, type Secrets } from './data-folder.js';
import { ADMIN_PROGRAM } from './program-bundles.js';
import type { Stack } from './stack.schema.js';

export interface AdminParts {
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  /** Folder of the programs, see `programBundles`. */
  readonly programs: string;
  /** URL of the gateway's database. */
  readonly databaseUrl: string;
  readonly temporal: Omit<Stack['temporal'], 'ui'>;
  /** The caller's environment, which contains the settings of Temporal. */
  readonly env: NodeJS.ProcessEnv;
}

/** Writes the part of the environment that `launch-admin` reads into a file of the stack, and returns the command with it. */
export async function writeAdminCommand(parts: AdminParts): Promise<readonly string[]> {
  const { folder, secrets, programs, databaseUrl, temporal, env } = parts;
  const variables = {
    DATABASE_URL: databaseUrl,
    CREDENTIAL_PEPPER_FILE: secrets.pepperFile,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_MODULES_NAMESPACE: temporal.modulesNamespace,
    TEMPORAL_TLS: env['TEMPORAL_TLS'],
    TEMPORAL_API_KEY_FILE: env['TEMPORAL_API_KEY_FILE'],
  };
  const file = folder.file('launch-admin.env');
  const lines = Object.entries(variables).flatMap(([name, value]) => (value ? [`${name}=${value}\n`] : []));
  await writePrivate(file, lines.join(''));
  return [process.execPath, `--env-file=${file}`, path.join(programs, ADMIN_PROGRAM)];
}
