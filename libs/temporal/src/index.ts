export { connectionOptions, connectTemporal, connectTemporalLazily, temporalTarget } from './client/connection.js';
export type { TemporalClient, TemporalTarget } from './client/connection.js';
export { endRun } from './client/end-run.js';
export { lastPolled, LONG_POLL_MS } from './client/pollers.js';
export { putSchedulePatiently } from './client/put-schedule-patiently.js';
export { putSchedule, readSchedule, triggerSchedule } from './client/schedule.js';
export type { RecurringWorkflow, ScheduleState } from './client/schedule.js';
export { launchSearchAttributes } from './client/search-attributes.js';
export { startOnce } from './client/start-once.js';
export type { StartOnceOptions } from './client/start-once.js';
export { dataConverter, MAX_PAYLOAD_BYTES } from './payload-rule.js';
export { WorkerVersionError } from './client/worker-version.error.js';
export type { WorkerVersionErrorCode } from './client/worker-version.error.js';
export { awaitVersion, promoteVersion, readWorkerDeployment } from './client/worker-versions.js';
export type {
  KnownVersion,
  Promotion,
  PromotionOptions,
  WorkerDeployment,
  WorkerVersion,
} from './client/worker-versions.js';
