export { activityStep } from './activities/activity-step.js';
export { activityFailure } from './activities/activity-failure.js';
export type { Step, StepOptions, StepProgress, StepTrouble } from './activities/activity-step.js';
export { BackgroundWorker } from './start/background-worker.js';
export { runWorker } from './start/run-worker.js';
export type { WorkerProcess, WorkerParts, ComposedWorker } from './start/run-worker.js';
export { WorkerError } from './worker.errors.js';
export type { WorkerErrorCode } from './worker.errors.js';
