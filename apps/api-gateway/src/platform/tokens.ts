/** Names under which Nest hands out what the process is made of; bound once in `app.module.ts`. */
export const GATEWAY_DATABASE = Symbol('GatewayDatabase');
/** What the indexer publishes. */
export const INDEX_DATABASE = Symbol('IndexDatabase');
/** Signs answers that mirrors may serve. */
export const ANSWER_SIGNER = Symbol('AnswerSigner');
export const BLOB_STORE = Symbol('BlobStore');
/** Whether the disk of the blobs has room. */
export const STORAGE_SPACE = Symbol('StorageSpace');
export const CLOCK = Symbol('Clock');
export const CREDENTIAL_PEPPER = Symbol('CredentialPepper');
export const CURSOR_KEY = Symbol('CursorKey');
export const QUOTAS = Symbol('Quotas');
export const LIMITS_CONFIG = Symbol('LimitsConfig');
export const LAUNCH_CHAIN = Symbol('LaunchChain');
export const LAUNCH_WORKFLOWS = Symbol('LaunchWorkflows');
export const CONFIGURED_CONTEXT = Symbol('ConfiguredContext');
export const FORM_READER = Symbol('FormReader');
export const API_SUBJECT = Symbol('ApiSubject');
export const LOGGER = Symbol('Logger');
export const METRICS = Symbol('Metrics');
export const LAUNCH_WORKERS = Symbol('LaunchWorkers');
export const RECOVERY_PAUSE = Symbol('RecoveryPause');
export const READINESS = Symbol('Readiness');
export const SIGN_IN = Symbol('SignIn');
export const REVIEWED_ROUTERS = Symbol('ReviewedRouters');
export const PUBLISHED_FILES = Symbol('PublishedFiles');
export const MACHINE_CONTRACTS = Symbol('MachineContracts');
export const CUSTOM_LAUNCH_RELEASE = Symbol('CustomLaunchRelease');
export const REVIEW_WORKFLOWS = Symbol('ReviewWorkflows');
export const MODULE_INTAKE = Symbol('ModuleIntake');
export const REVIEW_UPDATES = Symbol('ReviewUpdates');
export const REVIEW_RENDERER = Symbol('ReviewRenderer');
export const SITE_URL = Symbol('SiteUrl');

/** Server time in milliseconds; the one clock windows and expiries are judged by. */
export interface Clock {
  now(): number;
}
