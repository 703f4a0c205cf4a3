import MarkdownIt, { type Token } from 'markdown-it';
import { rewriteLink, type LinkTargets } from './document-links.js';
import { anchoring, type Heading } from './headings.js';

/** A part of a document: markup without scripts, or a block of code that a component shows. */
export type Part = { readonly html: string } | { readonly code: string; readonly language: string };

/** A document as its page shows it. */
export interface RenderedDocument {
  readonly title: string;
  /** The first sentence of the text, for search engines. */
  readonly description: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
}

/** Documents of the service have no HTML: with `html` off, any is text. */
const markdown = new MarkdownIt({ html: false, linkify: false });
const DESCRIPTION_LENGTH = 155;

/**
 * Renders a Markdown document.
 * @param at its path at the service, against which its links resolve
 */
export function renderMarkdown(text: string, at: string, targets: LinkTargets): RenderedDocument {
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  for (const token of tokens) relink(token, at, targets);
  makeTablesScroll(tokens);
  const [first] = headings;
  const isTitled = tokens[0]?.type === 'heading_open' && tokens[0].tag === 'h1';
  return {
    title: isTitled ? first!.text : at,
    description: descriptionOf(tokens),
    headings: headings.filter(({ level }) => level > 1),
    // The page shows the title itself.
    parts: partsOf(isTitled ? tokens.slice(3) : tokens),
  };
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const anchorOf = anchoring();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[index + 1]!);
    const id = anchorOf(text);
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), text, id }];
  });
}

/** Returns the text of an inline token without its markup. */
const plainText = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');

function relink({ children }: Token, at: string, targets: LinkTargets): void {
  const opened: boolean[] = [];
  for (const token of children ?? [])
    if (token.type === 'link_open') {
      const href = rewriteLink(String(token.attrGet('href')), at, targets);
      opened.push(href !== null);
      if (href === null) asSpan(token);
      else {
        token.attrSet('href', href);
        if (href.startsWith('https:')) token.attrSet('rel', 'noreferrer');
      }
    } else if (token.type === 'link_close' && opened.pop() === false) asSpan(token);
}

function asSpan(token: Token): void {
  token.tag = 'span';
  token.attrs = null;
}

/** Puts each table into a region that scrolls sideways and takes the focus, so that a keyboard scrolls it too. */
function makeTablesScroll(tokens: readonly Token[]): void {
  let tables = 0;
  for (const token of tokens)
    if (token.type === 'table_open') {
      tables += 1;
      token.meta = { label: `Table ${tables}` };
    }
}
markdown.renderer.rules['table_open'] = (tokens, index) => {
  const { label } = tokens[index]!.meta as { readonly label: string };
  return `<div class="table-scroll" role="region" aria-label="${label}" tabindex="0"><table>\n`;
};
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
// The alignment of cells would be an inline style, which the policy of the site forbids.
for (const rule of ['th_open', 'td_open'])
  markdown.renderer.rules[rule] = (tokens, index) => (tokens[index]!.tag === 'th' ? '<th scope="col">' : '<td>');
// A block in a list stays in the markup of its list.
for (const rule of ['fence', 'code_block'])
  markdown.renderer.rules[rule] = (tokens, index) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]!.content)}</code></pre>\n`;

/** Separates the blocks of code at the top level, which get a button that copies them. */
function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let rest: Token[] = [];
  const flush = (): void => {
    if (rest.length > 0) parts.push({ html: markdown.renderer.render(rest, markdown.options, {}) });
    rest = [];
  };
  for (const token of tokens) {
    const isCode = token.level === 0 && (token.type === 'fence' || token.type === 'code_block');
    if (!isCode) rest.push(token);
    else {
      flush();
      parts.push({ code: token.content.replace(/\n$/, ''), language: token.info.trim().split(' ')[0] ?? '' });
    }
  }
  flush();
  return parts;
}

function descriptionOf(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open');
  const text = at === -1 ? '' : plainText(tokens[at + 1]!);
  if (text.length <= DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')}…`;
}
