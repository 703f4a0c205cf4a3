import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { hasRoom, makeRunFolder, removeEndedRuns } from './memory-folder.mjs';

const GIB = 2 ** 30;
const roomy = { type: 0x01021994, freeBytes: 8 * GIB, options: ['rw', 'relatime'], freeMemory: 16 * GIB };

describe('a folder in memory for the files of tests', () => {
  it('is taken where the machine has room for it', () => {
    expect(hasRoom(roomy)).toBe(true);
  });

  it.each([
    ['the file system lies on a disk', { type: 0xef53 }],
    ['a container has the 64 MB that it is given by default', { freeBytes: 64 * 2 ** 20 }],
    ['the processes of a run would not find enough memory besides', { freeMemory: 8 * GIB }],
    ['nothing can be started from it', { options: ['rw', 'nosuid', 'noexec'] }],
  ])('is not taken when %s', (_, place) => {
    expect(hasRoom({ ...roomy, ...place })).toBe(false);
  });

  describe('among those of others', () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(path.join(tmpdir(), 'launch-memory-folder-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    it('lets the user of PostgreSQL through, and no other read it', () => {
      expect(statSync(makeRunFolder(root) as string).mode & 0o777).toBe(0o711);
    });

    it('goes with the next run when its own was killed, and stays while its own goes on', () => {
      const running = path.basename(makeRunFolder(root) as string);
      const { pid } = spawnSync(process.execPath, ['--version']);
      const killed = path.basename(makeRunFolder(root) as string);
      renameSync(path.join(root, killed), path.join(root, killed.replace(`-${process.pid}-`, `-${pid}-`)));
      mkdtempSync(path.join(root, 'of-somebody-else-'));
      removeEndedRuns(root);
      expect(readdirSync(root).sort()).toEqual([running, expect.stringMatching(/^of-somebody-else-/)]);
    });
  });
});
