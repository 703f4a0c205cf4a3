import type { JsonValue } from '@launch/contracts/json';
import { plain } from '@launch/multi-role/offline';
import type { Options, Outcome } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';

/** Most pages that `--all` reads: 1,000 items. */
const MAX_PAGES = 40;
/** Items of a page with `--all`. */
const FULL_PAGE = 25;

/** The query of a page. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of an owner's list, with the status of its answer. */
export interface Page<Item> {
  readonly httpStatus: number;
  readonly schemaVersion: string;
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/**
 * Reads the page that the options name, and with `--all` those behind it, at most 40 of them.
 * @throws {LaunchError} `LAUNCH_CLI_ANSWER_MISMATCH` if a cursor repeats.
 */
export async function readPages<Item>(
  { limit, cursor, all }: Options,
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const size = limit !== undefined ? Number(limit) : all === undefined ? undefined : FULL_PAGE;
  const queryOf = (from: string | undefined): PageQuery => ({
    ...(size === undefined ? {} : { limit: size }),
    ...(from === undefined ? {} : { cursor: from }),
  });
  let page = await read(queryOf(cursor));
  const items = [...page.items];
  const cursors = new Set([cursor]);
  for (let count = 1; all !== undefined && page.nextCursor !== null && count < MAX_PAGES; count += 1) {
    if (cursors.has(page.nextCursor))
      throw new LaunchError('LAUNCH_CLI_ANSWER_MISMATCH', 'the list repeats a cursor', {
        httpStatus: page.httpStatus,
        findings: [{ path: '/nextCursor', message: 'is the cursor of a page that was read' }],
      });
    cursors.add(page.nextCursor);
    page = await read(queryOf(page.nextCursor));
    items.push(...page.items);
  }
  return { ...page, items };
}

/** Returns the outcome of a list. @param rows the columns of each item, below their headings */
export function listOutcome<Item>(
  { httpStatus, schemaVersion, items, nextCursor }: Page<Item>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Outcome {
  const lines = rows.length === 0 ? 'nothing\n' : columns([headings, ...rows]);
  return {
    exitCode: EXIT.done,
    httpStatus,
    resource: { schemaVersion, items, nextCursor } as unknown as JsonValue,
    text: `${lines}${nextCursor === null ? '' : `more: --cursor ${plain(nextCursor)}\n`}`,
  };
}

/** Formats rows of columns of equal width. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => `${plain(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).trimEnd()}\n`)
    .join('');
}
