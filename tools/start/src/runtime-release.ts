import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LaunchContext } from '@launch/contracts/multi-role';

type RuntimeRelease = NonNullable<LaunchContext['profile']['runtimeRelease']>;

const run = promisify(execFile);
const GIT_TIMEOUT_MS = 10_000;

/**
 * Returns the source that a checkout runs: its commit, and the tree of its tracked files as they are now. Changed source
 * is therefore another context even before it is committed (docs/reference/requests-and-hashes.md#context). Writes nothing
 * into the repository. Undefined where git or the repository's own history is missing.
 */
export async function runtimeReleaseOf(root: string): Promise<RuntimeRelease | undefined> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'launch-release-'));
  const git = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], GIT_OPTIONAL_LOCKS: '0', ...more };
    return (await run('git', ['-C', root, ...args], { env, timeout: GIT_TIMEOUT_MS })).stdout.trim();
  };
  try {
    // A copy without history inside another repository does not belong to that repository.
    if ((await git(['rev-parse', '--show-toplevel'])) !== (await realpath(root))) return undefined;
    const sourceCommit = await git(['rev-parse', 'HEAD']);
    const apart = {
      GIT_INDEX_FILE: path.join(scratch, 'index'),
      GIT_OBJECT_DIRECTORY: scratch,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: await git(['rev-parse', '--path-format=absolute', '--git-path', 'objects']),
    };
    await git(['read-tree', sourceCommit], apart);
    await git(['add', '--update', '--', '.'], apart);
    return {
      schemaVersion: 'service.multi-role-runtime-release-instance.v2',
      sourceCommit,
      sourceTree: await git(['write-tree'], apart),
    };
  } catch {
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
