import { readFile } from 'node:fs/promises';

const REFERENCE = new URL('../../../../docs/reference/wallet-page.md', import.meta.url);

/** Returns the rows of altered fields that the reference has below a heading. */
export async function falsifiedRows(heading: string): Promise<readonly string[]> {
  const sections = (await readFile(REFERENCE, 'utf8')).split(/^### /m);
  const section = sections.find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`the reference has no section "${heading}"`);
  return section.split('\n').filter((line) => / \| (refused|unread|obstructed) \| /.test(line));
}
