import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { BESIDE_OTHERS, BUDGETS, budgetLines, WHOLE_BUDGET } from './stages.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('the stages of npm test', () => {
  it('may take no more together than the whole run may', () => {
    const alone = Object.entries<number>(BUDGETS).filter(([stage]) => !BESIDE_OTHERS.includes(stage));
    expect(alone.reduce((sum, [, seconds]) => sum + seconds, 0)).toBeLessThanOrEqual(WHOLE_BUDGET);
  });

  it('have the budgets that docs/testing.md names', () => {
    const rows = [
      ...readFileSync(path.join(root, 'docs/testing.md'), 'utf8').matchAll(/^\| `([a-z0-9 ]+)` \|.*\| (\d+) s \|$/gm),
    ];
    expect(Object.fromEntries(rows.map(([, name, seconds]) => [name, Number(seconds)]))).toEqual(BUDGETS);
  });

  it('are told with what each took, and which took more than it may', () => {
    expect(budgetLines({ types: 12.4, 'error codes': 75 }, 80.2)).toEqual([
      'stage          took    may take',
      'types          0:12 of  5:00',
      'error codes    1:15 of  0:03  over its budget',
      'in all         1:20 of 35:00',
    ]);
  });

  it('are told in whole minutes where a second is missing to one by less than a half', () => {
    expect(budgetLines({ integration: 719.9 }, 719.9)[1]).toBe('integration   12:00 of 11:20  over its budget');
  });

  it('are not told where nothing has a budget', () => {
    expect(budgetLines({ fuzz: 3_600 }, 3_600)).toEqual([]);
  });
});

it.each(['slow-suites.json', 'waiting-suites.json'])('names suites in %s that are there', (file) => {
  const listed = JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')) as object;
  const suites: string[] = Array.isArray(listed) ? listed : Object.keys(listed);
  expect(suites).not.toEqual([]);
  expect(suites.filter((suite) => !existsSync(path.join(root, suite)))).toEqual([]);
});
