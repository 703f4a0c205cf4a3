/** A heading of a document and its anchor. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** Returns a function that gives each heading its anchor, as the documents' own links expect it; a repeated one gets a number. */
export function anchoring(): (text: string) => string {
  const times = new Map<string, number>();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-');
    const earlier = times.get(slug) ?? 0;
    times.set(slug, earlier + 1);
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  };
}

/** The sections that a table of contents lists. */
export const sectionsOf = (headings: readonly Heading[]): Heading[] => headings.filter(({ level }) => level === 2);
