import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const APPS = ['api-gateway', 'indexer', 'module-review'];
const filesOf = (app: string): readonly string[] => globSync(`apps/${app}/src/**/*.sql.ts`, { cwd: root });
const namesIn = (file: string): readonly string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/statement\(\{\s*name: ['`]([^'`]+)['`]/g)].map(
    ([, name]) => name!,
  );

// One connection prepares one text under a name (docs/adr/0114-raw-sql-lives-beside-its-repository.md).
describe.each(APPS)('The SQL statements of %s', (app) => {
  it('have names that no other statement of the process has', () => {
    const names = filesOf(app).flatMap(namesIn);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  });

  it('are named after their file', () => {
    for (const file of filesOf(app))
      for (const name of namesIn(file))
        expect([file, name.split('.')[0]]).toEqual([file, path.basename(file, '.sql.ts')]);
  });
});
