export {
  connectionOptions,
  connectTemporal,
  connectTemporalLazily,
  modulesTarget,
  temporalTarget,
} from './client/connection.js';
export type { ModulesVariables, TemporalClient, TemporalTarget, TemporalVariables } from './client/connection.js';
export { readHousekeeping, startHousekeeping } from './client/housekeeping.js';
export type { HousekeepingState, HousekeepingWorkflow } from './client/housekeeping.js';
export { lastPolled, LONG_POLL_MS } from './client/pollers.js';
export { launchSearchAttributes } from './client/search-attributes.js';
export { startOnce } from './client/start-once.js';
export type { StartOnceOptions } from './client/start-once.js';
export { dataConverterOf } from './payloads/data-converter.js';
export type { PayloadNamespace } from './payloads/data-converter.js';
export { EncryptingCodec } from './payloads/encrypting-codec.js';
export { parsePayloadKeys, PayloadKeysError } from './payloads/payload-keys.js';
export type { PayloadKeys } from './payloads/payload-keys.js';
export { MAX_PAYLOAD_BYTES } from './payloads/size-rule.js';
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
export { passReplayGate } from './client/replay-gate.js';
export type { ReplayGateOptions } from './client/replay-gate.js';
export { TRACE_HEADER } from './client/trace-header.js';
