import { fileURLToPath } from 'node:url';
import { askDaemon, type RunDaemon } from '@launch/testing';
import type { MadeLaunch, Stack } from '@launch/start';
import type { SharedStackName } from './shared-stacks.js';

const STACKS: RunDaemon = { name: 'stacks', script: fileURLToPath(new URL('./stacks.daemon.ts', import.meta.url)) };

/** The path that answers the folder of `sharedCompilerCache`. */
export const COMPILER_CACHE = 'compiler-cache';

/** The path that answers `sharedSourceLaunches`. */
export const SOURCE_LAUNCHES = 'source-launches';

/** The stack that suites share under this name; it is started for the first who asks and ends with the run. */
export const sharedStack = (name: SharedStackName): Promise<Stack> => askDaemon<Stack>(`/${name}`, STACKS);

/** The folder in which the stacks of a run remember compiler results: a source is compiled once a run. It goes with the run. */
export const sharedCompilerCache = (): Promise<string> => askDaemon<string>(`/${COMPILER_CACHE}`, STACKS);

/**
 * Launches on the stack `launches` through every source that it publishes, told to every suite that asks; for the first of them
 * these are made, and one V4 and one multi-role launch besides. A suite waits with `awaitIndexed` for what it reads of them.
 */
export const sharedSourceLaunches = (): Promise<readonly MadeLaunch[]> =>
  askDaemon<readonly MadeLaunch[]>(`/${SOURCE_LAUNCHES}`, STACKS);
