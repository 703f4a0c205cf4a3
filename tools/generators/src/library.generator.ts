import { addJson, addSource, textOf, type WorkspaceTree } from './workspace-tree.js';

export interface LibraryOptions {
  readonly name: string;
  readonly type: 'domain' | 'adapter' | 'platform';
  readonly scope?: 'shared' | 'gateway' | 'admission' | 'custody' | 'finality';
  readonly line: string;
}

/** Adds `libs/<name>`: workspace, empty entry, reference of the build, and its line in docs/layout.md. `npm install` links it. */
export default async function library(
  tree: WorkspaceTree,
  { name, type, scope = 'shared', line }: LibraryOptions,
): Promise<void> {
  const folder = `libs/${name}`;
  addJson(tree, `${folder}/package.json`, {
    name: `@launch/${name}`,
    version: '0.0.0',
    private: true,
    license: 'MIT',
    type: 'module',
    exports: {
      '.': { '@launch/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    },
    nx: { name, tags: [`type:${type}`, `scope:${scope}`], targets: { build: {}, unit: {} } },
  });
  addJson(tree, `${folder}/tsconfig.json`, {
    extends: '../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
  });
  await addSource(tree, `${folder}/src/index.ts`, 'export {};\n');

  const root = JSON.parse(textOf(tree, 'tsconfig.json')) as { references: { path: string }[] };
  root.references.push({ path: `./${folder}` });
  tree.write('tsconfig.json', `${JSON.stringify(root, null, 2)}\n`);

  const layout = textOf(tree, 'docs/layout.md');
  const rows = [...layout.matchAll(/^\| `libs\/[^\n]*\n/gm)];
  const last = rows.at(-1);
  if (last === undefined) throw new Error('docs/layout.md has no table of libraries');
  const end = last.index + last[0].length;
  tree.write('docs/layout.md', `${layout.slice(0, end)}| \`${folder}\` | ${line} |\n${layout.slice(end)}`);
}
