/** A number of a page, or a gap between two of them. */
export type PageStep = number | 'gap';

/** Returns the pages that a reader goes to from one page: the first, the last and the neighbours. */
export function pagesOf(current: number, last: number): readonly PageStep[] {
  const shown = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last);
  const pages = [...new Set(shown)].toSorted((left, right) => left - right);
  return pages.flatMap((page, index): PageStep[] => {
    const before = pages[index - 1] ?? page - 1;
    if (page - before === 1) return [page];
    return page - before === 2 ? [page - 1, page] : ['gap', page];
  });
}
