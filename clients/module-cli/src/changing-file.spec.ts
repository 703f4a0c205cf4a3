import { afterAll, expect, it, jest } from '@jest/globals';
import fs, { appendFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMALL_FILES, writeModule } from './fixtures/module-package.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'changing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A change that another process makes after a number of reads. */
let meanwhile: { afterReads: number; change: () => void } | null = null;
const readSync = ((...parameters: Parameters<typeof fs.readSync>) => {
  const read = fs.readSync(...parameters);
  if (meanwhile !== null && (meanwhile.afterReads -= 1) === 0) meanwhile.change();
  return read;
}) as typeof fs.readSync;
jest.unstable_mockModule('node:fs', () => ({ ...fs, readSync }));
const { packSubmission } = await import('./submission.js');

let roots = 0;
const FILE = 'src/Vesting.sol';

it.each<[string, number, string, (root: string) => void]>([
  ['grows while it is read', 3, 'MODULE_FILE_CHANGED', (root) => appendFileSync(join(root, FILE), '// more\n')],
  ['is touched while it is read', 3, 'MODULE_FILE_CHANGED', (root) => utimesSync(join(root, FILE), 1, 1)],
  [
    'is replaced after it was read',
    5,
    'MODULE_FILE_CHANGED',
    (root) => {
      writeFileSync(join(root, 'other'), SMALL_FILES[FILE]);
      renameSync(join(root, 'other'), join(root, FILE));
    },
  ],
  [
    'is in a folder that becomes a link',
    5,
    'MODULE_CLI_FILE',
    (root) => {
      renameSync(join(root, 'src'), join(root, 'moved'));
      symlinkSync(join(root, 'moved'), join(root, 'src'));
    },
  ],
])('a file that %s is an error', (_what, afterReads, code, change) => {
  const root = join(folder, `root-${(roots += 1)}`);
  writeModule(root, SMALL_FILES);
  meanwhile = { afterReads, change: () => change(root) };
  expect(() => packSubmission(root, 'module.json', null)).toThrow(new RegExp(`^${code}$`));
  expect(meanwhile.afterReads).toBeLessThanOrEqual(0);
  meanwhile = null;
  expect(packSubmission(newCopy(), 'module.json', null).expected.fileCount).toBe(2);
});

function newCopy(): string {
  const root = join(folder, `root-${(roots += 1)}`);
  writeModule(root, SMALL_FILES);
  return root;
}
