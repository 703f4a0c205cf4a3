import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './run-program.js';

/** Local replacements of the public base images (deploy/local-images), as lines of `deploy/.env`. */
export const LOCAL_IMAGES = [
  'NODE_IMAGE=launch-local/node:24.21.0',
  'POSTGRES_IMAGE=launch-local/postgres:18',
  'TEMPORAL_IMAGE=launch-local/temporal:1.32.0',
  'TEMPORAL_ADMIN_IMAGE=launch-local/temporal:1.32.0',
  'TEMPORAL_UI_IMAGE=launch-local/temporal:1.32.0',
].join('\n');

/** Returns the commit of a checkout. */
export const commitOf = async (checkout: string): Promise<string> =>
  (await runProgram(['git', 'rev-parse', 'HEAD'], { cwd: checkout })).trim();

/** Clones the commit that a repository is at. */
export async function cloneRelease(source: string, release: string): Promise<void> {
  await runProgram(['git', 'clone', '-q', source, release], { cwd: path.dirname(release) });
}

/** Builds every image of a checkout under one tag. */
export async function buildImages(checkout: string, version: string, images = LOCAL_IMAGES): Promise<void> {
  const settings = path.join(checkout, 'deploy/.env');
  await writeFile(settings, `${images}\nLAUNCH_VERSION=${version}\n`);
  const build = ['docker', 'compose', '--env-file', settings, '--profile', '*', '--progress', 'plain', 'build'];
  const options = { cwd: checkout, env: { ...process.env, SOURCE_COMMIT: await commitOf(checkout) }, shown: true };
  // The gateway's image builds the stages that all share. Twenty builds that wait for the same stage can lose their builder.
  await runProgram([...build, 'api-gateway'], options);
  await runProgram(build, options);
}
