/** The last page that a number can name in the service's lists. */
export const LAST_PAGE = 99_999;

/** Reads the number of a page; null if the text is none. Without a text it is the first page. */
export function pageNumber(text: string | null): number | null {
  if (text === null) return 1;
  return /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : null;
}
