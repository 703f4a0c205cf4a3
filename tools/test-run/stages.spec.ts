import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { BUDGETS, budgetLines, IN_IDLE_TIME, WHOLE_BUDGET } from './stages.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('the stages of npm test', () => {
  it('may take no more together than the whole run may', () => {
    const all = Object.values<number>(BUDGETS).reduce((sum, seconds) => sum + seconds, 0);
    expect(all).toBeLessThanOrEqual(WHOLE_BUDGET);
  });

  it('have the budgets that docs/testing.md names', () => {
    const rows = [
      ...readFileSync(path.join(root, 'docs/testing.md'), 'utf8').matchAll(/^\| `([a-z0-9 ]+)` \|.*\| (\d+) s \|$/gm),
    ];
    expect(Object.fromEntries(rows.map(([, name, seconds]) => [name, Number(seconds)]))).toEqual(BUDGETS);
  });

  it('take no time of their own where docs/testing.md says so', () => {
    const rows = [
      ...readFileSync(path.join(root, 'docs/testing.md'), 'utf8').matchAll(
        /^\| `([a-z0-9 ]+)` \|.*\| in idle time \|$/gm,
      ),
    ];
    expect(rows.map(([, name]) => name)).toEqual(IN_IDLE_TIME);
  });

  it('are told with what each took, and which took more than it may', () => {
    expect(budgetLines({ prepare: 12.4, types: 31, 'error codes': 75 }, 80.2)).toEqual([
      'stage          took    may take',
      'prepare        0:12 of  2:30',
      'types          0:31 in idle time',
      'error codes    1:15 of  0:03  over its budget',
      'in all         1:20 of 35:00',
    ]);
  });

  it('are told in whole minutes where a second is missing to one by less than a half', () => {
    expect(budgetLines({ unit: 239.9 }, 239.9)[1]).toBe('unit           4:00 of  3:10  over its budget');
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
