/** Child processes that cannot be left behind: an entry of its own, because tools need nothing else of the platform. */
export { isProcessAlive, spawnGuarded, stopChild } from './child-guard.js';
export type { StopManner } from './child-guard.js';
export { withFileLock } from './file-lock.js';
export { freePort } from './free-port.js';
export { commandLineOf, endLeftover, recordProcess } from './leftover.js';
export { PARENT_PID_VARIABLE, watchParent } from './parent-watch.js';
