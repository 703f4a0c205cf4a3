/** One page of the operating guide as data. */
export interface GuidePage {
  readonly title: string;
  /** The filters of lists, with their placeholders. */
  readonly filters: readonly string[];
  /** The shell commands, with their placeholders. */
  readonly commands: readonly string[];
  /** The texts that the page in the picture shows. */
  readonly shows: readonly string[];
  /** The name of the picture, without folder and extension. */
  readonly picture: string;
}

/** The values of placeholders such as `<launchId>`. */
export type Placeholders = Readonly<Record<string, string>>;

const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span as string);

/**
 * Reads the numbered pages of the guide.
 * @throws SyntaxError that names a page without a filter, command, picture or text.
 */
export function guidePages(markdown: string): GuidePage[] {
  const sections = markdown.split(/^## (?=\d+\. )/m).slice(1);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    const spansAfter = (word: string): string[] => lines.filter((line) => line.startsWith(word)).flatMap(codeSpans);
    const page = {
      title,
      filters: spansAfter('Filter'),
      commands: lines.filter((line) => line.startsWith('    ')).map((line) => line.trim()),
      shows: spansAfter('Shows:'),
      picture: /!\[[^\]]+\]\(operating\/([a-z-]+)\.png\)/.exec(section)?.[1] ?? '',
    };
    if ([page.filters, page.commands, page.shows, page.picture].some(({ length }) => length === 0))
      throw new SyntaxError(`a page of the guide has no filter, command, picture, or words about it: ${title}`);
    return page;
  });
}

/** @throws RangeError for a placeholder without a value. */
export const filled = (text: string, placeholders: Placeholders): string =>
  text.replaceAll(/<([A-Za-z]+)>/g, (whole, name: string) => {
    const value = placeholders[name];
    if (value === undefined) throw new RangeError(`nothing stands for ${whole}`);
    return value;
  });
