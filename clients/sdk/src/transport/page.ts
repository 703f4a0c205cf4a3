/** One page of a list. */
export interface PageQuery {
  /** Most items of the page; 25 by default. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

const DEFAULT_LIMIT = 25;

/** Returns what a page must agree with. */
export const pageSubject = ({ limit = DEFAULT_LIMIT, cursor }: PageQuery) => ({ limit, cursor });
