import { describe, expect, it } from '@jest/globals';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const contracts = path.join(root, 'libs/contracts');
const sources = path.join(contracts, 'src');

const { exports: published } = JSON.parse(readFileSync(path.join(contracts, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly '@launch/source': string }>>;
};
const entries = Object.keys(published).map((name) => name.replace('./', ''));
const indexOf = (entry: string): string => path.join(sources, entry, 'index.ts');

/** Entries of one product each. */
const PRODUCTS = ['custom-launch', 'index', 'modules', 'multi-role', 'plans', 'reports'];

/** Entries below the products. */
const SHARED = ['errors', 'json', 'launch', 'primitives', 'states', 'validation'];

/** Entries that workflow code imports values from: see docs/adr/0110-contracts-have-one-entry-a-product.md. */
const WITHOUT_A_LIBRARY = ['errors', 'orchestration', 'states'];

const parsed = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
const textOf = (specifier: ts.Expression | undefined): string | null =>
  specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : null;
const fileAt = (from: string, specifier: string): string =>
  path.join(path.dirname(from), specifier.replace(/\.js$/, '.ts'));

/** The names that a declaration gives. */
function declared(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

/** Every value and type that a module exports, those of others included. */
function exportsOf(file: string): readonly string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
        return statement.exportClause.elements.map(({ name }) => name.text);
      return exportsOf(fileAt(file, textOf(statement.moduleSpecifier)!));
    }
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? declared(statement) : [];
  });
}

/** The modules that a module loads when it runs: type imports are erased. */
function loadedBy(file: string): readonly string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const from = textOf(statement.moduleSpecifier);
      return from === null || statement.isTypeOnly ? [] : [from];
    }
    if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) return [];
    return [textOf(statement.moduleSpecifier)!];
  });
}

/** The entries whose modules a folder imports, types included; the folder itself excepted. */
function importedBy(entry: string): readonly string[] {
  const files = globSync('**/*.ts', { cwd: path.join(sources, entry) }).filter((file) => !file.endsWith('.spec.ts'));
  const from = files.flatMap((file) =>
    parsed(path.join(sources, entry, file)).statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
      const specifier = textOf(statement.moduleSpecifier);
      if (specifier === null || !specifier.startsWith('.')) return [];
      return [path.relative(sources, fileAt(path.join(sources, entry, file), specifier)).split(path.sep)[0]!];
    }),
  );
  return [...new Set(from)].filter((other) => other !== entry).sort();
}

/** The packages that an entry loads, directly or by one of its modules. */
function packagesOf(entry: string): ReadonlySet<string> {
  const [packages, seen, waiting] = [new Set<string>(), new Set<string>(), [indexOf(entry)]];
  for (const file of waiting) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of loadedBy(file))
      if (specifier.startsWith('.')) waiting.push(fileAt(file, specifier));
      else packages.add(specifier);
  }
  return packages;
}

describe('The entries of libs/contracts', () => {
  it('match its folders', () => {
    expect(readdirSync(sources).sort()).toEqual([...entries].sort());
    for (const entry of entries) expect(published[`./${entry}`]!['@launch/source']).toBe(`./src/${entry}/index.ts`);
  });

  it.each(entries)('export in /%s modules of their own folder only', (entry) => {
    const from = parsed(indexOf(entry)).statements.map((statement) =>
      textOf((statement as ts.ExportDeclaration).moduleSpecifier),
    );
    expect(from.filter((specifier) => !specifier?.startsWith('./'))).toEqual([]);
  });

  it('export each symbol once', () => {
    const homes = new Map<string, string[]>();
    for (const entry of entries)
      for (const name of exportsOf(indexOf(entry))) homes.set(name, [...(homes.get(name) ?? []), entry]);
    expect([...homes].filter(([, places]) => places.length > 1)).toEqual([]);
    expect(homes.get('finding')).toEqual(['errors']);
    expect(homes.get('Hex')).toEqual(['primitives']);
  });

  it.each(PRODUCTS)('import in /%s no other product', (product) => {
    const imported = importedBy(product);
    expect(imported).toContain('primitives');
    expect(imported.filter((entry) => !SHARED.includes(entry))).toEqual([]);
  });

  it.each(SHARED)('import in /%s no product', (entry) => {
    expect(importedBy(entry).filter((other) => !SHARED.includes(other))).toEqual([]);
  });

  it('belong to a product, are shared, or hold types of orchestration', () => {
    expect([...PRODUCTS, ...SHARED, 'activities', 'orchestration'].sort()).toEqual([...entries].sort());
  });

  it.each(WITHOUT_A_LIBRARY)('load in /%s no library', (entry) => {
    expect([...packagesOf(entry)]).toEqual([]);
  });

  it('load zod where they parse', () => {
    expect([...packagesOf('validation')]).toContain('zod');
  });
});

it('No file except fixtures imports a module of libs/contracts past its entries.', () => {
  const files = globSync('{apps,clients,deploy,libs,prisma,solidity,tools}/**/*.{ts,mjs}', {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|bundles|artifacts|generated|frozen)(\/|$)/.test(name),
  }).filter((file) => !file.startsWith('libs/contracts/'));
  expect(files.length).toBeGreaterThan(1_000);
  const deep = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^'\n]+)'/g)]
      .map(([, specifier]) => specifier!)
      .filter(
        (specifier) =>
          (specifier.startsWith('@launch/contracts') &&
            !entries.includes(specifier.slice('@launch/contracts/'.length))) ||
          (/\.\.\/contracts\/|libs\/contracts\/src\//.test(specifier) && !specifier.endsWith('.fixture.js')),
      )
      .map((specifier) => `${file}: ${specifier}`),
  );
  expect(deep).toEqual([]);
});
