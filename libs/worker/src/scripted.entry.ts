/** The parts of a worker, for a host of workflows with scripted steps: suites, benchmarks, the operating guide. */
export { activityStep } from './activities/activity-step.js';
export { scriptedService } from './operations/scripted-service.js';
export { currentWorkflowBundle } from './bundle/bundle-file.js';
export type { WorkflowBundle } from './bundle/bundle-workflows.js';
export { installTemporalRuntime } from './start/runtime.js';
export { connectWorkers, createServiceWorker } from './start/service-worker.js';
export type { ServiceWorker, ServiceWorkerOptions } from './start/service-worker.js';
