import { accessTo, ownController, type StackAccess } from './own-stack.js';
import type { SharedStackName } from './shared-stacks.js';
import { sharedStack } from './of-the-run.js';

/**
 * Returns a stack that other suites use at the same time, with a controller of the caller's own. The stack ends with
 * the run.
 */
export async function useStack(name: SharedStackName): Promise<StackAccess> {
  return accessTo(await ownController(await sharedStack(name)));
}
