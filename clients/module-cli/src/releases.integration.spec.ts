import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { REPOSITORY, runNode, temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import { COMMANDS, commandsOf, type Release } from './commands.js';
import { BUILD_PARTS, linkPackages } from './fixtures/build-tree.fixture.js';
import { SMALL_FILES, writeModule } from './fixtures/module-package.fixture.js';
import { ModuleService } from './fixtures/module-service.fixture.js';

const RELEASES = JSON.parse(readFileSync(join(REPOSITORY, 'clients/module-cli/releases.json'), 'utf8')) as Release[];
const [WITHOUT_REVIEW, WITH_REVIEW, NEWEST] = [
  '1.0.0-development.1',
  '1.0.0-development.3',
  '1.0.0-development.5',
] as const;
const folder = temporaryFolder();
const service = new ModuleService();
let origin: string;
const program = (version: string): string => join(REPOSITORY, 'clients/module-cli/frozen', version, 'module-cli.mjs');
/** Returns the newest release as this test built it from the sources. */
const newest = (built = 'built'): Buffer => readFileSync(join(folder.path, built, NEWEST, 'module-cli.mjs'));
beforeAll(async () => {
  origin = await service.start();
  const built = await runNode([join(REPOSITORY, 'clients/module-cli/build.mjs'), join(folder.path, 'built')]);
  expect(built).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe('the releases of the module CLI', () => {
  it('are three, of which the first lacks the review commands', () => {
    expect(RELEASES.map(({ version, hasReview }) => [version, hasReview])).toEqual([
      [WITHOUT_REVIEW, false],
      [WITH_REVIEW, true],
      [NEWEST, true],
    ]);
    expect(COMMANDS).toHaveLength(9);
    expect(RELEASES.map((release) => commandsOf(release).length)).toEqual([5, 7, 9]);
  });

  it('end with the build of the sources: a changed source requires a new version in releases.json, built and frozen', () => {
    expect(newest().equals(readFileSync(program(NEWEST)))).toBe(true);
  });

  it.each(RELEASES)('$version names its commands, and refuses all others', async ({ version, hasReview }) => {
    const { code, stdout } = await runNode([program(version), '--help']);
    expect([code, stdout.includes('submit-module'), stdout.includes('review-')]).toEqual([0, true, hasReview]);
    const review = await runNode([program(version), 'review-capabilities', '--api-origin', origin]);
    expect(review.code).toBe(hasReview ? 0 : 2);
  });

  it('take a module to a service, and print neither key nor source', async () => {
    const root = join(folder.path, 'module');
    writeModule(root, SMALL_FILES);
    const key = 'sentinel-key-of-this-test';
    const receipts = ['--receipts', join(folder.path, 'receipts')];
    for (const [index, version] of [WITHOUT_REVIEW, WITH_REVIEW, NEWEST].entries()) {
      const { code, stdout, stderr } = await runNode(
        [
          program(version),
          'submit-module',
          '--root',
          root,
          '--package',
          'module.json',
          '--api-origin',
          origin,
          ...receipts,
        ].concat(['--idempotency-key', 'sixteen-characters']),
        { env: { SERVICE_MODULES_API_KEY: key }, cwd: folder.path },
      );
      expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, '', { httpStatus: index === 0 ? 201 : 200 }]);
      expect(stdout).not.toMatch(/sentinel|WordsOfTheSource/);
    }
  });

  it.each(RELEASES)('$version needs only Node, and contains no path of the tree', ({ version }) => {
    const text = readFileSync(program(version), 'utf8');
    const imported = [...text.matchAll(/(?:^|;)import ?[\w*{][^;"']*?from ?"([^"]+)"/gm)].map(([, from]) =>
      from!.replace(/^node:/, ''),
    );
    expect(imported).toContain('fs');
    expect(imported.filter((from) => !builtinModules.includes(from))).toEqual([]);
    expect([text.includes(REPOSITORY), statSync(program(version)).mode & 0o111]).toEqual([false, 0o111]);
    for (const used of ['zod', 'hash-wasm']) expect(text).toMatch(new RegExp(`^/\\*!\\n${used} [0-9.]+\\n`, 'm'));
  });

  it('has the same bytes when built from a copy of the tree at another path, in another place', async () => {
    const copy = join(folder.path, 'clone');
    const left = /\/(node_modules|dist|bundles)(\/|$)/;
    for (const part of BUILD_PARTS)
      cpSync(join(REPOSITORY, part), join(copy, part), {
        recursive: true,
        filter: (from) => !left.test(from.slice(REPOSITORY.length - 1)),
      });
    linkPackages(copy);
    const { code, stderr } = await runNode([join(copy, 'clients/module-cli/build.mjs'), join(folder.path, 'again')], {
      cwd: folder.path,
      env: { HOME: folder.path, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(newest('again').equals(newest())).toBe(true);
  });
});
