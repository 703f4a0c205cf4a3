export { connectionOptions, connectTemporal, connectTemporalLazily, temporalTarget } from './client/connection.js';
export type { TemporalClient, TemporalTarget } from './client/connection.js';
export { endRun } from './client/end-run.js';
export { putSchedule, readSchedule } from './client/schedule.js';
export type { RecurringWorkflow, ScheduleState } from './client/schedule.js';
export { launchSearchAttributes } from './client/search-attributes.js';
export { startOnce } from './client/start-once.js';
export type { StartOnceOptions } from './client/start-once.js';
export { dataConverter, MAX_PAYLOAD_BYTES } from './payload-rule.js';
