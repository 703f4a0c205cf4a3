import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@launch/contracts';
import { makeSourceLaunches, runCustomLaunch, type MadeLaunch } from '@launch/start';
import { ownController } from './own-stack.js';

const BUNDLES = fileURLToPath(new URL('../../../../clients/multi-role/bundles', import.meta.url));
const PATIENCE_MS = 240_000;

/** Launches through every source of a stack as other people do, and one V4 launch to its finality with a controller of its own. */
export async function launchThroughSources(shared: Stack): Promise<readonly MadeLaunch[]> {
  const stack = await ownController(shared);
  const made = await makeSourceLaunches({ stack, bundles: BUNDLES });
  await runCustomLaunch({
    stack,
    bundles: BUNDLES,
    workDir: path.join(await mkdtemp(path.join(stack.dataDir, 'sources-')), 'launch'),
    onStage: () => undefined,
    timeoutMs: PATIENCE_MS,
  });
  return made;
}
