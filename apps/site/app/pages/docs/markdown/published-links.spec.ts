import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '../errors/error-codes.js';
import { documentPage } from './document-links.js';
import { renderMarkdown, type RenderedDocument } from './render-markdown.js';

const ROOT = path.resolve(import.meta.dirname, '../../../../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const GATEWAY = 'https://api.launch.example';

// The gateway's list of documents. The site does not depend on the gateway's code, so the test reads its text.
const PUBLISHED = [
  ...read('apps/api-gateway/src/core/downloads/published-documents.ts').matchAll(/^ {2}(guide|reference)\('([a-z-]+)',/gm),
].map(([, kind, name]) => `/docs/${kind === 'guide' ? 'guides' : 'reference'}/${name}.md`);

const targets = { documents: new Set(PUBLISHED), gatewayUrl: GATEWAY };
const rendered = new Map<string, RenderedDocument>(
  PUBLISHED.map((at) => [documentPage(at)!, renderMarkdown(read(at.slice(1)), at, targets)]),
);
const codes = new Set(errorCodes().map(({ code }) => code));
const routes = Object.keys((JSON.parse(read('docs/api/openapi.json')) as { paths: object }).paths).map(
  (route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

const markupOf = ({ parts }: RenderedDocument): string =>
  parts.map((part) => ('html' in part ? part.html : '')).join('');
const hasAnchor = ({ headings }: RenderedDocument, hash: string): boolean =>
  hash === '' || headings.some(({ id }) => id === hash);

/** Returns the links of a rendered document that lead to no page, section, code or route. */
function deadLinks(document: RenderedDocument): string[] {
  return [...markupOf(document).matchAll(/<a href="([^"]*)"/g)]
    .map(([, href]) => href!)
    .filter((href) => {
      const [page = '', hash = ''] = href.split('#').map(decodeURIComponent);
      if (page === '') return !hasAnchor(document, hash);
      if (page === '/docs/errors') return hash !== '' && !codes.has(hash);
      if (page === '/docs/api') return false;
      if (page.startsWith(GATEWAY)) return !routes.some((route) => route.test(new URL(page).pathname));
      if (page.startsWith('https://')) return false;
      const target = rendered.get(page);
      return target === undefined || !hasAnchor(target, hash);
    });
}

describe('The published documents as pages', () => {
  it('are all of the list of the gateway', () => {
    expect(PUBLISHED.length).toBeGreaterThan(15);
    for (const { title, description } of rendered.values()) {
      expect(title).not.toMatch(/^\//);
      expect(description.length).toBeGreaterThan(10);
    }
  });

  it.each([...rendered.keys()])('have only links in %s that lead to an existing page, section, code or route', (page) => {
    const document = rendered.get(page)!;
    expect(deadLinks(document)).toEqual([]);
    // A link that leads nowhere would be shown as a span.
    expect(markupOf(document)).not.toContain('<span>');
  });

  it('are linked by the changelog', () => {
    const changelog = renderMarkdown(read('CHANGELOG.md'), '/CHANGELOG.md', targets);
    expect(markupOf(changelog)).toContain('href="/docs/reference/client-bindings"');
    expect(deadLinks(changelog)).toEqual([]);
  });
});
