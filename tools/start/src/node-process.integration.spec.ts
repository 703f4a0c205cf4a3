import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startNodeProcess } from './node-process.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'launch-node-process-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Longer than a test may take: one that waits for it fails. */
const READY_TIMEOUT_MS = 600_000;

it('The start reports immediately why a program ended before its process was recorded.', async () => {
  const starting = startNodeProcess(
    {
      name: 'the short one',
      program: 'short.mjs',
      programs: folder,
      args: [],
      cwd: folder,
      // Node refuses it before all else, sooner than a file is written.
      env: { NODE_OPTIONS: '--no-such-option' },
      logFile: path.join(folder, 'short.log'),
      pidFile: path.join(folder, 'short.pid'),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: 1_000,
      signal: new AbortController().signal,
    },
    () => false,
  );
  await expect(starting).rejects.toThrow(
    /the short one ended with 9; see .*short\.log\n.*--no-such-option is not allowed/s,
  );
});
