/**
 * Records the commit that a build is made from, for everything that the build publishes.
 *
 *     node tools/build-info.mjs apps/<service>/build-info.json
 *
 * The commit is that of the clone. A build without the repository's history, as in an image, names it in `SOURCE_COMMIT`.
 * Plain Node without dependencies.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '..');
const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Returns the commit of a build.
 * @param {string} root the checkout
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 * @throws {Error} without a commit: a build that cannot name its source publishes nothing.
 */
export function sourceCommitOf(root = ROOT, env = process.env) {
  const given = env.SOURCE_COMMIT ?? '';
  if (given !== '') {
    if (COMMIT.test(given)) return given;
    throw new Error(`SOURCE_COMMIT must be a commit, 40 lowercase hex digits, and is ${given}`);
  }
  const git = (/** @type {string[]} */ ...command) =>
    execFileSync('git', ['-C', root, ...command], { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    // A copy without history inside another repository does not belong to that repository.
    if (git('rev-parse', '--show-toplevel') === realpathSync(root)) return git('rev-parse', 'HEAD');
  } catch {
    // Without git, a repository or a commit: the build needs the argument.
  }
  throw new Error(
    `${root} has no git history, and the build must name its commit. Build in a clone, or set SOURCE_COMMIT to the commit ` +
      'of these sources: SOURCE_COMMIT=<40 hex digits> npm run build, or docker build --build-arg SOURCE_COMMIT=<40 hex digits>.',
  );
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) {
    process.stderr.write('usage: node tools/build-info.mjs <file>\n');
    process.exit(2);
  }
  try {
    const info = { schemaVersion: 'launch.build-info.v1', sourceCommit: sourceCommitOf() };
    mkdirSync(path.dirname(target), { recursive: true });
    // Another build may run: a reader never sees half of the file.
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, JSON.stringify(info));
    renameSync(partial, target);
  } catch (error) {
    process.stderr.write(`build-info: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
