import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '../../docs/adr');
const files = globSync('[0-9]*.md', { cwd: folder }).sort();
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const records = files.map((file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const [, number, title] = /^# (\d{4}) (.+)$/m.exec(text) ?? [];
  const [, status, date] = /^## Status\n\n([A-Z][^,\n]*), (\d{4}-\d\d-\d\d)$/m.exec(text) ?? [];
  return { file, number, title, status, date, sections: [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name) };
});

describe('the decision records', () => {
  it('have file names that follow their titles', () => {
    expect(records.map(({ number, title }) => `${number}-${slug(title ?? '')}.md`)).toEqual(files);
  });

  it('have a status with its date, and the four sections in order', () => {
    for (const { file, status, date, sections } of records)
      expect([file, status, date, sections]).toEqual([
        file,
        expect.stringMatching(/^(Proposed|Accepted|Superseded by \d{4})$/),
        expect.any(String),
        ['Status', 'Context', 'Decision', 'Consequences'],
      ]);
  });

  it('have one number each', () => {
    const numbers = records.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('match the rows of the index', () => {
    const rows = readFileSync(path.join(folder, 'README.md'), 'utf8').match(/^\| \[\d{4}\].*$/gm);
    expect(rows).toEqual(
      records.map(
        ({ file, number, title, status, date }) => `| [${number}](${file}) | ${title} | ${status} | ${date} |`,
      ),
    );
  });
});
