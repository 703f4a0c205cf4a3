import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** A table of statements: its file, the number that its statements begin with, and the headings that it covers. */
const TABLES = [
  {
    file: 'docs/reference/statements/modules-and-indexing.md',
    number: 3,
    headings: [
      'What the service does',
      'Resources and their fields',
      'States and transitions',
      'Endpoints',
      'Module CLI',
      'Authentication',
      'Errors',
      'Limits',
      'Versioning',
      'Events',
      'States of the index',
      'Public indexing reads',
      'Reviewer routes',
      'Ethereum and feeds',
    ],
  },
  {
    file: 'docs/reference/statements/plans-and-custom-launches.md',
    number: 1,
    headings: [
      'Introduction',
      'What the service does',
      'Resources and their fields',
      'States and transitions',
      'Endpoints',
      'Authentication',
      'Events',
      'Errors',
      'Limits',
      'Versioning',
    ],
  },
  {
    file: 'docs/reference/statements/multi-role.md',
    number: 2,
    headings: [
      'Introduction',
      'What the service does',
      'Capabilities',
      'Create/preflight request',
      'Preflight result',
      'Source assessment (on create, replay, get, list)',
      'Launch resource',
      'Finality projections',
      'Public finalized metadata',
      'Request packer config',
      'Inventory project input',
      'States and transitions',
      'Endpoints',
      'Offline tools',
      'Authentication',
      'Events',
      'Errors',
      'Limits',
      'Runtime instruction policy',
      'Versioning',
    ],
  },
];

interface Statement {
  readonly number: string;
  readonly heading: string;
  readonly text: string;
  readonly shownBy: readonly string[];
}

/** Reads rows `| 2.n | statement | path “title”; … |` under their headings. */
function readStatements({ file, number: table }: (typeof TABLES)[number]): Statement[] {
  let heading = '';
  const statements: Statement[] = [];
  for (const line of readFileSync(`${ROOT}${file}`, 'utf8').split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3);
    if (!line.startsWith(`| ${table}.`)) continue;
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    expect({ line, cells: cells.length }).toEqual({ line, cells: 3 });
    const [number, text, shownBy] = cells as [string, string, string];
    statements.push({ number, heading, text, shownBy: shownBy.split('; ').filter((one) => one !== '') });
  }
  return statements;
}

const REFERENCE = /^`([^`]+\.(?:(?:spec|chapter|corpus)\.ts|json))` “([^”]+)”$/;
/** A reason that no test can show the rule, or that the product does not keep it yet. */
const UNSHOWN = /^not (?:testable|there yet): .{10,}/;

/** Returns whether a line contains these words inside a string: a title, or the row of a table that becomes one. */
const isTitled = (source: string, words: string): boolean =>
  source
    .replaceAll("\\'", "'")
    .split('\n')
    .some((line) => line.includes(words) && /['"`]/.test(line.slice(0, line.indexOf(words))));

describe.each(TABLES)('the statements in $file', (table) => {
  const statements = readStatements(table);

  it('name the rules of the reference below each heading', () => {
    const sections = readFileSync(`${ROOT}${table.file}`, 'utf8').split(/^## /m).slice(1);
    expect(sections.length).toBe(table.headings.length);
    for (const section of sections) expect(section).toMatch(/^.+\n\nRules: \[[^\]]+\]\(\.\.\/[a-z-]+\.md#/);
  });

  it('cover every heading, numbered without gaps', () => {
    expect([...new Set(statements.map(({ heading }) => heading))]).toEqual(table.headings);
    expect(statements.map(({ number }) => number)).toEqual(
      statements.map((_, index) => `${table.number}.${index + 1}`),
    );
  });

  it('state each rule once', () => {
    const texts = statements.map(({ heading, text }) => `${heading}: ${text}`);
    expect(new Set(texts).size).toBe(texts.length);
    for (const { number, text } of statements)
      expect({ number, said: text.length > 10 }).toEqual({ number, said: true });
  });

  it.each(statements.map((one) => [one.number, one.text, one] as const))(
    'cite an existing test for %s %s',
    (_number, _text, { shownBy }) => {
      expect(shownBy.length).toBeGreaterThan(0);
      for (const one of shownBy) {
        if (UNSHOWN.test(one)) continue;
        const [, path, words] = REFERENCE.exec(one) ?? [];
        expect({ one, wellFormed: path !== undefined }).toEqual({ one, wellFormed: true });
        const exists = existsSync(`${ROOT}${path}`);
        expect({
          one,
          exists,
          titled: exists && isTitled(readFileSync(`${ROOT}${path}`, 'utf8'), words as string),
        }).toEqual({ one, exists: true, titled: true });
      }
    },
  );
});

it('The check of the statements accepts as titles only words inside the strings of a test.', () => {
  const source = ["it('loses nothing', () => {", '  // signs nothing twice', "  it('the owner\\'s own', check);"].join(
    '\n',
  );
  expect(
    ['loses nothing', "the owner's own", 'signs nothing twice', 'never written'].map((words) =>
      isTitled(source, words),
    ),
  ).toEqual([true, true, false, false]);
});
