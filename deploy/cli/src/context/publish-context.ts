import { existsSync } from 'node:fs';
import path from 'node:path';
import { canonicalizeJson } from '@launch/contracts/json';
import { commitContext, type CustomLaunchContext } from '@launch/contracts/launch';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { keccak256Hex } from '@launch/contracts/primitives';
import { DeployError } from '../deploy.error.js';
import { createNamed, readJson, replaceWhole } from '../documents.js';

const MAX_CONTEXT_BYTES = 256 * 1024;

/**
 * Writes a context to its target as canonical JSON. With `previousFolder` the context at the target is filed there under
 * its hash, for the requests that are bound to it; without, the target must not exist.
 *
 * @throws {DeployError} TARGET_EXISTS, ALREADY_PUBLISHED, FILE_NOT_READ, FILE_NOT_WRITTEN
 */
export function publishContext(
  context: LaunchContext | CustomLaunchContext,
  target: string,
  previousFolder?: string,
): void {
  const bytes = canonicalizeJson(context);
  if (previousFolder === undefined) {
    createNamed('--out', target, bytes);
    return;
  }
  const before = canonicalizeJson(readJson('--out', target, MAX_CONTEXT_BYTES));
  const hashBefore = keccak256Hex(before);
  if (hashBefore === commitContext(context).contextHash)
    throw new DeployError(
      'ALREADY_PUBLISHED',
      `--out ${target} is the context of this release and these facts`,
      'Nothing is left to do: go on with the release.',
    );
  const filed = path.join(previousFolder, `${hashBefore}.json`);
  if (!existsSync(filed)) createNamed('--previous', filed, before);
  replaceWhole(target, bytes);
}
