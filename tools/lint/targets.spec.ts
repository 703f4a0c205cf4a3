import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const KINDS = [
  ['unit', /(?<!\.(integration|replay|e2e|journey))\.spec\.ts$/],
  ['integration', /\.(integration|replay)\.spec\.ts$/],
  ['journey', /\.journey\.spec\.ts$/],
  ['e2e', /\.e2e\.spec\.ts$/],
] as const;
const exclude = (entry: string): boolean => /(^|\/)(node_modules|dist|bundles|\.data)(\/|$)/.test(entry);
const read = (file: string): { nx?: { targets: object } } =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as { nx?: { targets: object } };
const manifests = globSync(['solidity/package.json', '{apps,clients,deploy,libs,prisma,tools}/*/package.json'], {
  cwd: root,
}).filter((manifest) => read(manifest).nx !== undefined);

describe('the targets of Nx', () => {
  it.each(manifests)('include, in %s, one for each kind of test file of the project, and no other', (manifest) => {
    const files = globSync(`${path.dirname(manifest)}/**/*.spec.ts`, { cwd: root, exclude });
    const declared = Object.keys(read(manifest).nx!.targets);
    const kinds = KINDS.map(([kind]) => kind);
    expect(kinds.filter((kind) => declared.includes(kind))).toEqual(
      KINDS.filter(([, pattern]) => files.some((file) => pattern.test(file))).map(([kind]) => kind),
    );
  });

  it('run the test files of the workspace root from the folders that its targets name', () => {
    const workspace = read('package.json').nx!.targets as Record<string, { options?: { command: string } }>;
    const inProject = (file: string): boolean =>
      manifests.some((manifest) => file.startsWith(`${path.dirname(manifest)}/`));
    const own = globSync('**/*.spec.ts', { cwd: root, exclude }).filter((file) => !inProject(file));
    for (const [kind, pattern] of KINDS) {
      const files = own.filter((file) => pattern.test(file));
      const [, roots = ''] = /--roots (.+?) --/.exec(workspace[kind]?.options?.command ?? '') ?? [];
      expect(files.filter((file) => !roots.split(' ').some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
    }
  });
});
