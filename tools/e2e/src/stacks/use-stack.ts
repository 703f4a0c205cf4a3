import { fileURLToPath } from 'node:url';
import type { Stack } from '@launch/contracts';
import { askDaemon, type RunDaemon } from '@launch/testing';
import { accessTo, ownController, type StackAccess } from './own-stack.js';
import type { SharedStackName } from './shared-stacks.js';

const STACKS: RunDaemon = { name: 'stacks', script: fileURLToPath(new URL('./stacks.daemon.ts', import.meta.url)) };

/** A stack that other suites use at the same time, with a controller of one's own. The stack ends with the run. */
export async function useStack(name: SharedStackName): Promise<StackAccess> {
  return accessTo(await ownController(await askDaemon<Stack>(`/${name}`, STACKS)));
}
