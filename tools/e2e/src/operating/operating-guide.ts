/** One page of the operating guide: what it says, as data. */
export interface GuidePage {
  readonly title: string;
  /** List filters, with their placeholders. */
  readonly filters: readonly string[];
  /** Shell commands, with their placeholders. */
  readonly commands: readonly string[];
  /** Texts that the picture's page has. */
  readonly shows: readonly string[];
  /** Name of the picture, without folder and ending. */
  readonly picture: string;
}

/** The values of `<launchId>` and the like. */
export type Placeholders = Readonly<Record<string, string>>;

const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span as string);

/**
 * The numbered pages of the guide.
 * @throws SyntaxError naming a page without filter, command, picture, or words about it.
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
