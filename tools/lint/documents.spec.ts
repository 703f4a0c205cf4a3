import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { anchorsOf, brokenLinks, commentsOf, foreignCitations, read, root, unresolved } from './references.js';

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

describe.each(documents)('The document %s', (file) => {
  const text = read(file);

  it('links to files and anchors that exist', () => expect(brokenLinks(file)).toEqual([]));

  it('names files, anchors, ADRs and scripts that exist', () => {
    expect(unresolved(text, path.dirname(file))).toEqual([]);
    expect(
      [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)]
        .map(([, name]) => name as string)
        .filter((name) => !scripts.has(name)),
    ).toEqual([]);
  });

  it('cites no document that the repository does not have', () => expect(foreignCitations(text)).toEqual([]));
});

describe('Sources', () => {
  const EXTENSIONS = '{ts,mjs,js,css,sol,prisma,sql,sh,yml,yaml,Dockerfile}';
  const sources = globSync([`{apps,libs,clients,prisma,tools,solidity,deploy}/**/*.${EXTENSIONS}`, `*.${EXTENSIONS}`], {
    cwd: root,
    exclude: (entry) =>
      /(^|\/)(node_modules|dist|bundles|artifacts|generated|frozen|testdata|vectors|histories)(\/|$)/.test(entry),
  });

  it('name files, anchors and ADRs that exist in their comments', () => {
    expect(sources.length).toBeGreaterThan(1_000);
    const broken = sources.flatMap((file) =>
      unresolved(commentsOf(file), path.dirname(file)).map((reference) => `${file}: ${reference}`),
    );
    expect(broken).toEqual([]);
  });

  it('cite no document that the repository does not have, in comments and in titles', () => {
    const cited = sources
      .filter((file) => file !== 'tools/lint/documents.spec.ts')
      .flatMap((file) => foreignCitations(read(file)).map((citation) => `${file}: ${citation}`));
    expect(cited).toEqual([]);
  });
});

describe('the checks of references', () => {
  it('report a missing file, anchor and ADR, and accept the others', () => {
    const text = [
      'docs/reference/finality.md#posted, docs/reference/finality.md, ADR 0111 and libs/evm/src exist, as does capabilities.service.ts',
      'docs/reference/finality.md#never, docs/reference/never.md, ADR 0111 and 9999, ADR 11, docs/adr/9998, libs/never/src, never.service.ts',
    ].join('\n');
    expect(unresolved(text, '.').sort()).toEqual([
      'ADR 11',
      'ADR 9998',
      'ADR 9999',
      'docs/reference/finality.md#never',
      'docs/reference/never.md',
      'libs/never/src',
      'never.service.ts',
    ]);
  });

  it.each([
    'decision 25',
    'decisions 60, 61',
    'spec 1',
    'Spec 2’s routes',
    'the specification 3',
    'spec section 4',
    'section 6 of the design',
  ])('refuse the citation %j', (text) => expect(foreignCitations(text)).toHaveLength(1));

  it.each(['the decision of a reviewer', 'RFC 4648, section 4', 'inspection 2', 'a spec beside its file', 'section 9'])(
    'accept %j',
    (text) => expect(foreignCitations(text)).toEqual([]),
  );

  it('read the anchors of headings, repeated ones and explicit ids', () => {
    expect([...anchorsOf('docs/reference/errors.md')]).toEqual(
      expect.arrayContaining(['errors', 'error-body', 'custom-launch-and-plan-codes', 'NOT_FOUND']),
    );
  });
});

it('The layout has a line for every workspace, and no other line.', () => {
  const listed = [
    ...read('docs/layout.md').matchAll(/`((?:apps|libs|prisma|clients|tools)\/[\w-]+|deploy\/cli|solidity)`/g),
  ].map(([, name]) => name as string);
  for (const one of workspaces) expect(listed).toContain(one);
  for (const one of listed) expect([one, existsSync(path.join(root, one))]).toEqual([one, true]);
});
