export { Activities, logTrouble } from './activities/activities.js';
export type { ActivityCall, ActivityEdge, ActivityWork } from './activities/activities.js';
export type { StepProgress, StepTrouble } from './activities/activity-step.js';
export { BackgroundWorker } from './start/background-worker.js';
export { runWorker } from './start/run-worker.js';
export type { WorkerProcess, WorkerParts, ComposedWorker } from './start/run-worker.js';
export { WorkerError } from './worker.errors.js';
export type { WorkerErrorCode } from './worker.errors.js';
