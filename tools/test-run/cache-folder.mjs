import { homedir } from 'node:os';
import path from 'node:path';

/** A folder of the user's cache for what a test run may find again; it is made by whoever writes to it. */
export const cacheFolder = (name) =>
  path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'launch', name);
