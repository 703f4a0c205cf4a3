export { connectionOptions, connectTemporal, connectTemporalLazily, temporalTarget } from './client/connection.js';
export type { TemporalClient, TemporalTarget } from './client/connection.js';
export { readHousekeeping, startHousekeeping } from './client/housekeeping.js';
export type { HousekeepingState, HousekeepingWorkflow } from './client/housekeeping.js';
export { lastPolled, LONG_POLL_MS } from './client/pollers.js';
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
