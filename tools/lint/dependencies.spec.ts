import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest => JSON.parse(read(path.join(folder, 'package.json'))) as Manifest;
const everywhere = manifestOf('.');
const workspaces = globSync(
  everywhere.workspaces!.map((pattern) => `${pattern}/package.json`),
  { cwd: root },
)
  .map((file) => path.dirname(file))
  .sort();

/** Dependencies that no file of a workspace names, each with the reason for it. */
const UNNAMED: Readonly<Record<string, RegExp>> = {
  'libs/compiler': /^solc-/, // loaded by version
  solidity: /^solc-/,
  'apps/api-gateway': /^rxjs$/, // Nest asks its user to have it
  'apps/site': /^@types\//, // types of packages without their own
  'tools/bench': /^@ethereum-sourcify\/compilers-types$/, // lib-sourcify needs it and does not say so
};
const IN_TESTS = /\.(spec|fixture|harness|setup)\.(ts|mjs)$|\.config\.ts$|\/(fixtures?|test|testing)\//;
/** Nothing but tests uses them: tests are their product. */
const FOR_TESTS = ['tools/e2e', 'libs/testing'];

const IMPORT =
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require|import\.meta\.resolve)\(\s*['"]([^'"]+)['"]/gm;
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Packages that a text imports, comments apart. */
const importedBy = (text: string): Set<string> =>
  new Set(
    [...text.replace(/^\s*(\/?\*|\/\/).*$/gm, '').matchAll(IMPORT)]
      .map(([, from, bare, called]) => from ?? bare ?? called ?? '')
      .filter((one) => !/^(\.|#|node:|virtual:)/.test(one) && !builtinModules.includes(one))
      .map(packageOf),
  );
/** Whether a text has a package's name in quotes, with any continuation: an import, a path into it, a platform's edition of it. */
const names = (text: string, dependency: string): boolean =>
  ['"', "'", '`'].some((quote) => text.includes(`${quote}${dependency}`));

describe('Install scripts', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { readonly hasInstallScript?: true }>;
  };
  const named = (JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }).allowScripts;

  it('are allowed or denied by name, for exactly the packages of the lockfile that have one', () => {
    const having = Object.entries(packages).flatMap(([place, { hasInstallScript }]) =>
      hasInstallScript === true ? [place.split('node_modules/').at(-1)!] : [],
    );
    expect(Object.keys(named).sort()).toEqual([...new Set(having)].sort());
    expect(Object.keys(named).filter((name) => named[name])).toEqual(['node']);
  });

  it('without an entry fail an installation, and no installation of the repository runs them by itself', () => {
    expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
    expect(read('tools/install.mjs')).toContain("['ci', '--ignore-scripts'");
    const files = globSync(['deploy/{docker,local-images}/*.{Dockerfile,sh,mjs}', 'tools/*.mjs'], { cwd: root });
    const installing = files.flatMap((file) =>
      [...read(file).matchAll(/^[^#/]*(?:\bnpm (?:ci|install)\b|\['ci').*$/gm)].map(([line]) => line),
    );
    expect(installing.length).toBeGreaterThan(3);
    expect(installing.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });
});

describe.each(workspaces)('The workspace %s', (folder) => {
  const { name, dependencies = {}, devDependencies = {} } = manifestOf(folder);
  const files = globSync(`${folder}/**/*.{ts,tsx,mjs,sol,css}`, {
    cwd: root,
    // A peer of a bench has a manifest and a lock of its own.
    exclude: (entry) => /(^|\/)(node_modules|dist|bundles|artifacts|lint\/fixtures|bench\/peers)(\/|$)/.test(entry),
  });
  const textOf = (some: readonly string[]): string => some.map(read).join('\n');
  const product = textOf(files.filter((file) => FOR_TESTS.includes(folder) || !IN_TESTS.test(`/${file}`)));
  const unnamedIn = (text: string, declared: object): string[] =>
    Object.keys(declared).filter((one) => !names(text, one) && !(UNNAMED[folder]?.test(one) ?? false));

  it('declares no dependency that it does not use', () => {
    expect(unnamedIn(textOf(files), { ...dependencies, ...devDependencies })).toEqual([]);
  });

  it('declares exactly the packages that its own code uses', () => {
    expect(unnamedIn(product, dependencies)).toEqual([]);
    const declared = new Set([
      name,
      ...Object.keys(dependencies),
      ...Object.keys(devDependencies),
      ...Object.keys(everywhere.devDependencies ?? {}),
    ]);
    expect([...importedBy(product)].filter((one) => !declared.has(one))).toEqual([]);
  });
});
