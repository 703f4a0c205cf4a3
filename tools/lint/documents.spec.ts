import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
interface Manifest {
  readonly workspaces?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
}
const manifest = (folder: string): Manifest => JSON.parse(read(path.join(folder, 'package.json'))) as Manifest;

const workspaces = globSync(
  manifest('.').workspaces!.map((one) => `${one}/package.json`),
  { cwd: root },
).map((file) => path.dirname(file));
const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', ...workspaces.map((one) => `${one}/**/*.md`)], {
  cwd: root,
  exclude: (entry) => /(^|\/)(node_modules|dist|bundles|artifacts)(\/|$)/.test(entry),
});
const scripts = new Set(['.', ...workspaces].flatMap((folder) => Object.keys(manifest(folder).scripts ?? {})));

/** What a deployment or a build makes; the repository has none of it. */
const MADE =
  /^deploy\/(secrets|\.env|context(\.facts)?\.json|index\.facts\.json|reviewed-routers\.json|reviewer-policy\.json)|(^|\/)(dist|bundles|artifacts|generated)\//;
const OURS = /(?<![\w/`@.-])(?:apps|libs|prisma|clients|tools|solidity|docs|deploy)\/[\w./-]*\w/g;
const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

describe.each(documents)('%s', (file) => {
  const text = read(file);
  const stands = (target: string): boolean =>
    [target, path.join(path.dirname(file), target)].some((one) => existsSync(path.join(root, one)));

  it('links to files that are there', () => {
    const links = [...text.matchAll(LINK)].map(([, to]) => to as string).filter((to) => !/^[a-z]+:/.test(to));
    expect(links.filter((to) => !existsSync(path.join(root, path.dirname(file), to)))).toEqual([]);
  });

  it('names files and scripts that are there', () => {
    // A number of a decision stands for its file, a program's name in a package for the package.
    const named = [...text.matchAll(OURS)]
      .map(([name]) => name)
      .filter((name) => !MADE.test(name) && !/^(docs\/adr\/\d{4}|prisma\/adapter-pg)$/.test(name));
    expect(named.filter((name) => !stands(name))).toEqual([]);
    expect(
      [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)]
        .map(([, name]) => name as string)
        .filter((name) => !scripts.has(name)),
    ).toEqual([]);
  });
});

it('the layout has a line for every workspace, and none for another', () => {
  const listed = [...read('docs/layout.md').matchAll(/`((?:apps|libs|prisma|clients|tools)\/[\w-]+|solidity)`/g)].map(
    ([, name]) => name as string,
  );
  for (const one of workspaces) expect(listed).toContain(one);
  for (const one of listed) expect([one, existsSync(path.join(root, one))]).toEqual([one, true]);
});
