import { afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, runNode, temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import { BUILD_PARTS, linkPackages } from './fixtures/build-tree.fixture.js';

interface KeptRelease {
  readonly version: string;
  readonly sourceCommit?: string;
}
interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const RELEASES = JSON.parse(
  readFileSync(join(REPOSITORY, 'clients/module-cli/releases.json'), 'utf8'),
) as KeptRelease[];
const folder = temporaryFolder();
afterAll(() => folder.remove());

const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: REPOSITORY, maxBuffer: 2 ** 28 });
const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: REPOSITORY }).status === 0;
const frozen = (version: string): Buffer =>
  readFileSync(join(REPOSITORY, 'clients/module-cli/frozen', version, 'module-cli.mjs'));

/**
 * Lists the packages that the bytes depend on, in versions other than the installed ones: the bundler, and the packages whose
 * licences the bundle ends with.
 */
function otherPackages({ version, sourceCommit }: Required<KeptRelease>): string[] {
  const today = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as Lockfile;
  const then = JSON.parse(git('show', `${sourceCommit}:package-lock.json`).toString()) as Lockfile;
  const bundled = [
    ...frozen(version)
      .toString()
      .matchAll(/^\/\*!\n(\S+) [0-9.]+\n/gm),
  ].map(([, name]) => name!);
  return ['esbuild', ...bundled].filter((name) => {
    const at = `node_modules/${name}`;
    return today.packages[at]?.version !== then.packages[at]?.version;
  });
}

describe('a frozen release of the module CLI', () => {
  it('has the commit that it was built from, unless it is the newest one', () => {
    for (const { sourceCommit } of RELEASES.slice(0, -1)) expect(sourceCommit).toMatch(/^[0-9a-f]{40}$/);
  });

  for (const { version, sourceCommit } of RELEASES) {
    if (sourceCommit === undefined) continue;
    const title = `${version} comes out the same from the sources of its commit`;
    // A shallow clone or an archive lacks the history; the test then reports that.
    if (!hasCommit(sourceCommit)) {
      it.skip(`${title}, which this checkout has not`, () => undefined);
      continue;
    }
    const other = otherPackages({ version, sourceCommit });
    if (other.length > 0) {
      it.skip(`${title} and the ${other.join(', ')} of that time, which is not installed`, () => undefined);
      continue;
    }
    it(title, async () => {
      const tree = join(folder.path, version);
      mkdirSync(tree);
      const archive = git('archive', sourceCommit, ...BUILD_PARTS);
      execFileSync('tar', ['-x', '-C', tree], { input: archive });
      linkPackages(tree);
      const built = join(folder.path, 'built', version);
      const { code, stderr } = await runNode([join(tree, 'clients/module-cli/build.mjs'), built]);
      expect([code, stderr]).toEqual([0, '']);
      expect(readFileSync(join(built, version, 'module-cli.mjs')).equals(frozen(version))).toBe(true);
    });
  }
});
