/** Child processes that cannot be left behind: a separate entry, because tools need nothing else from the platform. */
export { guardProcess, isProcessAlive, spawnGuarded, stopChild } from './child-guard.js';
export type { StopManner } from './child-guard.js';
export { withFileLock } from './file-lock.js';
export { freePort } from './free-port.js';
export { descendantsOf, killAll, killTree } from './kill-tree.js';
export { commandLineOf, endLeftover, recordProcess } from './leftover.js';
export { orAborted } from './or-aborted.js';
export { runProgram } from './run-program.js';
export { PARENT_PID_VARIABLE, watchParent } from './parent-watch.js';
