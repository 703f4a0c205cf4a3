import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from './render-markdown.js';

const TARGETS = { documents: new Set(['/docs/guides/a.md', '/docs/guides/b.md']), gatewayUrl: 'https://api.launch.example' };
const render = (text: string) => renderMarkdown(text, '/docs/guides/a.md', TARGETS);
const htmlOf = (text: string): string =>
  render(text)
    .parts.map((part) => ('html' in part ? part.html : ''))
    .join('');

describe('A rendered document', () => {
  it('has its title and first sentences apart from its text', () => {
    const { title, description, parts } = render('# The `launch` CLI\n\nFirst *words*\nof it.\n\n## Next\n');
    expect([title, description]).toEqual(['The launch CLI', 'First words of it.']);
    expect(JSON.stringify(parts)).not.toContain('<h1');
  });

  it('has an anchor for each heading, also for two with one text', () => {
    const { headings } = render('# T\n\n## 1. Requests & hashes\n\n### `POST /x`\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id }) => id)).toEqual(['1-requests--hashes', 'post-x', 'same', 'same-1']);
  });

  it('separates blocks of code, so that each has a button that copies it', () => {
    expect(render('# T\n\nText\n\n```sh\na <b> "c"\n```\n\nMore\n').parts).toEqual([
      { html: '<p>Text</p>\n' },
      { code: 'a <b> "c"', language: 'sh' },
      { html: '<p>More</p>\n' },
    ]);
  });

  it('shows HTML as text', () => {
    const html = htmlOf('# T\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))\n');
    expect(html).not.toMatch(/<script|<img|href/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('puts tables into a region that takes the focus, without inline styles', () => {
    const html = htmlOf('# T\n\n| a | b |\n| :-: | --- |\n| 1 | 2 |\n');
    expect(html).toContain('<div class="table-scroll" role="region" aria-label="Table 1" tabindex="0"><table>');
    expect(html).toContain('<th scope="col">a</th>');
    expect(html).not.toContain('style');
  });

  it('links pages of the site, and shows a link that leads nowhere as text', () => {
    const html = htmlOf('# T\n\n[B](b.md#x) [C](c.md) [D](https://d.example/)\n');
    expect(html).toBe(
      '<p><a href="/docs/guides/b#x">B</a> <span>C</span> <a href="https://d.example/" rel="noreferrer">D</a></p>\n',
    );
  });
});
