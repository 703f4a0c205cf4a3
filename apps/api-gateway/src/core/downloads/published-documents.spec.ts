import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { DOCUMENT_FILES, GUIDE_FILES } from './published-documents.js';
import { readPublishedFiles } from './published-files.js';

const DOCS = path.resolve(import.meta.dirname, '../../../../../docs');
/** Guides for readers of the repository: operators, reviewers, and users of a development stack or of packages that it packs. */
const NEEDS_THE_REPOSITORY = [
  'deploying',
  'first-launch',
  'monitoring',
  'operating',
  'provoke-faults',
  'reviewing',
  'sdk',
  'site',
];
/** Any origin: only paths are compared. */
const ORIGIN = 'https://launch.example';

const files = readPublishedFiles(DOCS, DOCUMENT_FILES);
const served = new Set(DOCUMENT_FILES.map(({ name }) => `/docs/${name}`));

/** Returns the targets of links in prose; a call in a code block can look like a link. */
const linksOf = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```|^ {4}.*$|`[^`\n]*`/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target]) => target!,
  );
/** Returns the links of a document that end nowhere if it is read at a path of the service. */
const deadLinks = (text: string, at: string): string[] =>
  linksOf(text).filter((target) => {
    const { origin, pathname } = new URL(target, `${ORIGIN}${at}`);
    return origin === ORIGIN && pathname !== at && !served.has(pathname);
  });

describe('The published documents', () => {
  it('include every document of the list', () => {
    expect([...files.keys()]).toEqual(DOCUMENT_FILES.map(({ name }) => name));
  });

  it.each(['guides', 'reference'])('include all %s that a reader of the service can follow', (folder) => {
    const pages = readdirSync(path.join(DOCS, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
    const kept = folder === 'guides' ? NEEDS_THE_REPOSITORY.map((name) => `${name}.md`) : [];
    const published = DOCUMENT_FILES.filter(({ name }) => name.startsWith(`${folder}/`)).map(({ name }) =>
      path.basename(name),
    );
    expect([...published, ...kept].sort()).toEqual(pages.sort());
  });

  it.each(DOCUMENT_FILES)('have no dead link in $name', ({ name }) => {
    const text = files.get(name)!.bytes.toString('utf8');
    expect(deadLinks(text, `/docs/${name}`)).toEqual([]);
  });

  it('include the guide of multi-role launches, whose links also resolve at its own path', () => {
    const guide = GUIDE_FILES.find(({ entry }) => entry === 'multi-role-launch')!;
    const text = files.get(guide.name)!.bytes.toString('utf8');
    expect(linksOf(text).length).toBeGreaterThan(0);
    expect(deadLinks(text, `${MULTI_ROLE_BASE_PATH}/guide.md`)).toEqual([]);
  });
});
