import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { PinnedWheel } from './pinned.js';
import { platformKey } from './pinned.js';

/** Programs fetched once a machine and user: `LAUNCH_CACHE_DIR`, else the system's own place for caches. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env['LAUNCH_CACHE_DIR']) return path.resolve(env['LAUNCH_CACHE_DIR']);
  if (env['XDG_CACHE_HOME']) return path.join(env['XDG_CACHE_HOME'], 'launch');
  const home = homedir();
  if (!home || home === '/') return path.join(tmpdir(), `launch-cache-${process.getuid?.() ?? 0}`);
  return process.platform === 'darwin'
    ? path.join(home, 'Library', 'Caches', 'launch')
    : path.join(home, '.cache', 'launch');
}

/** Returns the path of a pinned program, named by version and digest so that another pin never finds it. */
export function cachedProgram(wheel: PinnedWheel, env: NodeJS.ProcessEnv = process.env): string {
  const digest = wheel.sha256[platformKey()] ?? 'unpinned';
  return path.join(cacheFolder(env), `${wheel.program}-${wheel.version}-${digest.slice(0, 16)}`, wheel.program);
}
