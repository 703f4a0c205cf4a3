/** HTML that is written unescaped; everything else is escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** Builds HTML from a template. Values are escaped unless they are HTML already. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(strings.map((text, at) => text + (at < parts.length ? written(parts[at] as Part) : '')).join(''));

function written(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Renders text with `code` between backticks; blank lines begin a paragraph. */
export function prose(text: string): Markup {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => markup`<p>${withCode(paragraph)}</p>`);
  return markup`${paragraphs}`;
}

export const withCode = (text: string): Markup =>
  markup`${text.split('`').map((part, at) => (at % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`))}`;
