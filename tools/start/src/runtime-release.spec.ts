import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runtimeReleaseOf } from './runtime-release.js';

let root: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    encoding: 'utf8',
  }).trim();
const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'release-')));
  git('init', '--quiet');
  write('service.ts', 'one');
  write('.gitignore', 'dist/\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the release of a checkout', () => {
  it('consists of its commit and tree', async () => {
    expect(await runtimeReleaseOf(root)).toEqual({
      schemaVersion: 'service.multi-role-runtime-release-instance.v2',
      sourceCommit: git('rev-parse', 'HEAD'),
      sourceTree: git('rev-parse', 'HEAD^{tree}'),
    });
  });

  it('changes as soon as a source changes, committed or not, and leaves the repository unchanged', async () => {
    const clean = await runtimeReleaseOf(root);
    write('service.ts', 'two');
    const before = [
      git('status', '--porcelain'),
      git('count-objects'),
      readdirSync(path.join(root, '.git')).sort().join(),
    ];
    const changed = await runtimeReleaseOf(root);
    expect(changed?.sourceCommit).toBe(clean?.sourceCommit);
    expect(changed?.sourceTree).not.toBe(clean?.sourceTree);
    expect([
      git('status', '--porcelain'),
      git('count-objects'),
      readdirSync(path.join(root, '.git')).sort().join(),
    ]).toEqual(before);
    git('commit', '--quiet', '-am', 'two');
    const committed = await runtimeReleaseOf(root);
    expect(committed?.sourceTree).toBe(changed?.sourceTree);
    expect(committed?.sourceCommit).not.toBe(clean?.sourceCommit);
  });

  it('does not depend on built or untracked files', async () => {
    const clean = await runtimeReleaseOf(root);
    mkdirSync(path.join(root, 'dist'));
    write('dist/service.js', 'built');
    write('notes.txt', 'untracked');
    expect(await runtimeReleaseOf(root)).toEqual(clean);
  });

  it('stays the same at another path', async () => {
    const copy = `${root}-copy`;
    try {
      cpSync(root, copy, { recursive: true });
      expect(await runtimeReleaseOf(copy)).toEqual(await runtimeReleaseOf(root));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('is absent without git, without a commit, and in a folder of another repository', async () => {
    mkdirSync(path.join(root, 'inside'));
    expect(await runtimeReleaseOf(path.join(root, 'inside'))).toBeUndefined();
    rmSync(path.join(root, '.git'), { recursive: true });
    expect(await runtimeReleaseOf(root)).toBeUndefined();
    git('init', '--quiet');
    expect(await runtimeReleaseOf(root)).toBeUndefined();
  });
});
