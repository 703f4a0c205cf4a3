import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSourceLaunches, runCustomLaunch, runReferenceLaunch, type MadeLaunch, type Stack } from '@launch/start';
import { ownController } from './own-stack.js';

const BUNDLES = fileURLToPath(new URL('../../../../clients/multi-role/bundles', import.meta.url));
const PATIENCE_MS = 240_000;

/**
 * Launches through every source of a stack as strangers, and takes one custom launch and one multi-role launch to
 * finality, each with a controller of its own.
 */
export async function launchThroughSources(shared: Stack): Promise<readonly MadeLaunch[]> {
  const stack = await ownController(shared);
  const made = await makeSourceLaunches({ stack, bundles: BUNDLES });
  const workDir = await mkdtemp(path.join(stack.dataDir, 'sources-'));
  const own = { bundles: BUNDLES, onStage: () => undefined, timeoutMs: PATIENCE_MS };
  await Promise.all([
    runCustomLaunch({ ...own, stack, workDir: path.join(workDir, 'launch') }),
    runReferenceLaunch({
      ...own,
      stack: await ownController(shared),
      workDir: path.join(workDir, 'multi-role'),
      referenceCase: 'zero',
    }),
  ]);
  return made;
}
