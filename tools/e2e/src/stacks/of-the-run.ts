import { fileURLToPath } from 'node:url';
import { askDaemon, type RunDaemon } from '@launch/testing';
import type { MadeLaunch, Stack } from '@launch/start';
import type { SharedStackName } from './shared-stacks.js';

const STACKS: RunDaemon = { name: 'stacks', script: fileURLToPath(new URL('./stacks.daemon.ts', import.meta.url)) };

/** The path that answers the folder of `sharedCompilerCache`. */
export const COMPILER_CACHE = 'compiler-cache';

/** The path that answers `sharedSourceLaunches`. */
export const SOURCE_LAUNCHES = 'source-launches';

/** Returns the stack that suites share under this name. The first suite starts it, and it ends with the run. */
export const sharedStack = (name: SharedStackName): Promise<Stack> => askDaemon<Stack>(`/${name}`, STACKS);

/**
 * Returns the folder of compiler results that the stacks of a run share, so that a source is compiled once per run. It is
 * removed with the run.
 */
export const sharedCompilerCache = (): Promise<string> => askDaemon<string>(`/${COMPILER_CACHE}`, STACKS);

/**
 * Launches on the stack `launches` through every source that it publishes, returned to every suite that asks. The first request
 * makes them, with one custom launch and one multi-role launch. A suite waits with `awaitIndexed` for those that it
 * reads.
 */
export const sharedSourceLaunches = (): Promise<readonly MadeLaunch[]> =>
  askDaemon<readonly MadeLaunch[]>(`/${SOURCE_LAUNCHES}`, STACKS);
