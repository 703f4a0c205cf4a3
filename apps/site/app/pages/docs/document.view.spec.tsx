import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import { DocumentView, MissingDocument } from './document.view.js';
import { renderMarkdown } from './markdown/render-markdown.js';

const document = renderMarkdown('# Finality\n\nText.\n\n## Stages\n\n```sh\necho 1\n```\n\n## Waits\n', '/docs/guides/f.md', {
  documents: new Set(),
  gatewayUrl: 'https://api.launch.example',
});

describe('The page of a document', () => {
  it('shows its title, contents, code, digest and neighbours', () => {
    const shown = {
      document,
      before: { to: '/docs/guides/a', title: 'Before it', summary: '' },
      after: null,
      source: { path: '/docs/guides/f.md', contentSha256: `sha256:${'1'.repeat(64)}` },
    };
    const html = renderPage(() => <DocumentView shown={{ is: 'value', value: shown }} kind="Guide" />, null);
    expect(html.match(/<h1/g)).toHaveLength(1);
    for (const part of ['<h2 id="stages">Stages</h2>', 'href="#waits"', 'echo 1', 'href="/docs/guides/a"'])
      expect(html).toContain(part);
    expect(html).toContain('href="https://api.launch.example/docs/guides/f.md"');
    expect(html).not.toContain('style=');
  });

  it('says that it could not read the document while the service does not answer', () => {
    const read = { is: 'unavailable', code: 'TIMEOUT', message: 'No answer.', requestId: null } as const;
    const html = renderPage(() => <DocumentView shown={read} kind="Guide" />, null);
    expect(html).toContain('could not read this document');
    expect(html).toContain('TIMEOUT');
  });

  it('shows near matches of an unknown name, which is text', () => {
    const near = [{ to: '/docs/guides/finality', title: 'Finality', summary: 'Stages' }];
    const html = renderPage(() => <MissingDocument wanted={'<b>finalty'} near={near} />, null);
    expect(html).toContain('href="/docs/guides/finality"');
    expect(html).toContain('&lt;b&gt;finalty');
  });
});
