import { describe, expect, it } from '@jest/globals';
import { globSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const TEST_CODE = /\.(spec|chapter|corpus|bench|fixture|harness)\.ts$|\/(fixtures|testdata)\//;

/** The files of a TypeScript project, as the build reads its configuration. */
function filesOf(configuration: string): readonly string[] {
  const file = path.join(root, configuration);
  const { config, error } = ts.readConfigFile(file, (name) => ts.sys.readFile(name));
  if (error !== undefined) throw new Error(`${configuration} cannot be read`);
  return ts
    .parseJsonConfigFileContent(config, ts.sys, path.dirname(file))
    .fileNames.map((name) => path.relative(root, name));
}

describe('The build', () => {
  // Vite builds the site from its imports; its project is for the types of its tests too.
  const projects = globSync('{apps,libs,prisma,clients,deploy,tools}/*/tsconfig.json', {
    cwd: root,
    exclude: (entry) => entry.endsWith('apps/site'),
  }).sort();

  it.each(projects)('of %s has files, and no test code among them', (project) => {
    const files = filesOf(project);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => TEST_CODE.test(file))).toEqual([]);
  });

  it('leaves the types of test code and of its output to tsconfig.tests.json', () => {
    const inTests = globSync('{apps,libs,prisma,clients,deploy,tools}/*/src/**/*.ts', { cwd: root })
      .filter((file) => TEST_CODE.test(file))
      .sort();
    expect(inTests).not.toEqual([]);
    const checked = new Set(filesOf('tsconfig.tests.json'));
    expect([...inTests, ...projects.flatMap(filesOf)].filter((file) => !checked.has(file))).toEqual([]);
  });
});
