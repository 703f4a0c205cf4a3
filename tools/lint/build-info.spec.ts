import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const repository = path.resolve(import.meta.dirname, '../..');
const GIVEN = 'a'.repeat(40);

/** A checkout with the program of the build, and without history. */
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'build-info-')));
  mkdirSync(path.join(root, 'tools'));
  cpSync(path.join(repository, 'tools/build-info.mjs'), path.join(root, 'tools/build-info.mjs'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    encoding: 'utf8',
  }).trim();

function build(env: Readonly<Record<string, string>> = {}): { status: number | null; stderr: string; commit: unknown } {
  const file = path.join(root, 'apps/service/build-info.json');
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'tools/build-info.mjs'), file], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  const commit = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { sourceCommit: unknown }) : null;
  return { status, stderr, commit: commit?.sourceCommit };
}

it('A build records the commit of its clone, also while tracked files differ from it.', () => {
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  const head = git('rev-parse', 'HEAD');
  expect(build()).toEqual({ status: 0, stderr: '', commit: head });
  cpSync(path.join(repository, 'package.json'), path.join(root, 'tools/build-info.json'));
  expect(build().commit).toBe(head);
});

it('A build records the commit of its argument, with or without history.', () => {
  expect(build({ SOURCE_COMMIT: GIVEN })).toEqual({ status: 0, stderr: '', commit: GIVEN });
});

it.each([
  ['without history and argument', {}, 'has no git history'],
  ['with an empty argument', { SOURCE_COMMIT: '' }, 'set SOURCE_COMMIT to the commit'],
  ['with an argument that is no commit', { SOURCE_COMMIT: 'main' }, 'must be a commit, 40 lowercase hex digits'],
])('A build %s fails, names the remedy and records nothing.', (_what, env, why) => {
  const { status, stderr, commit } = build(env);
  expect([status, commit]).toEqual([1, undefined]);
  expect(stderr).toContain(why);
});

it('A build without history inside another repository does not record the commit of that repository.', () => {
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  const inside = path.join(root, 'inside');
  mkdirSync(path.join(inside, 'tools'), { recursive: true });
  cpSync(path.join(repository, 'tools/build-info.mjs'), path.join(inside, 'tools/build-info.mjs'));
  const { status, stderr } = spawnSync(process.execPath, [path.join(inside, 'tools/build-info.mjs'), 'x.json'], {
    cwd: inside,
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  expect([status, stderr.includes('has no git history'), existsSync(path.join(inside, 'x.json'))]).toEqual([
    1,
    true,
    false,
  ]);
});

it('Every published source commit is a commit, never null.', () => {
  const document: unknown = JSON.parse(readFileSync(path.join(repository, 'docs/api/openapi.json'), 'utf8'));
  const found: unknown[] = [];
  const search = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'sourceCommit' && typeof member === 'object') found.push(member);
      if (name === 'sourceCommit' && typeof member !== 'object') expect(member).toMatch(/^[0-9a-f]{40}$/);
      search(member);
    }
  };
  search(document);
  expect(found.length).toBeGreaterThan(5);
  for (const schema of found) expect(schema).toMatchObject({ type: 'string', pattern: '^[0-9a-f]{40}$' });
});

it('The build of the images takes the commit as an argument, since it is made without history.', () => {
  const dockerfile = readFileSync(path.join(repository, 'deploy/docker/services.Dockerfile'), 'utf8');
  const [, build = ''] = /^FROM .* AS build\n([\s\S]*?)\nFROM /m.exec(dockerfile) ?? [];
  expect(build).toMatch(/^ARG SOURCE_COMMIT$[\s\S]*^RUN npm run build/m);
});
