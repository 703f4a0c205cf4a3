// Tokens under which Nest provides the parts of the process; `composition/parts.module.ts` binds each once. A part of a
// product or of core has its token beside its type.
export const GATEWAY_DATABASE = Symbol('GatewayDatabase');
/** Signs answers that mirrors may serve. */
export const ANSWER_SIGNER = Symbol('AnswerSigner');
export const BLOB_STORE = Symbol('BlobStore');
/** The results of builds, which the module builder stores apart. */
export const BUILD_RESULTS = Symbol('BuildResults');
/** Whether the disk of the blobs has room. */
export const STORAGE_SPACE = Symbol('StorageSpace');
export const CLOCK = Symbol('Clock');
export const CURSOR_KEY = Symbol('CursorKey');
export const QUOTAS = Symbol('Quotas');
export const LIMITS_CONFIG = Symbol('LimitsConfig');
export const FORM_READER = Symbol('FormReader');
export const API_SUBJECT = Symbol('ApiSubject');
export const LOGGER = Symbol('Logger');
export const METRICS = Symbol('Metrics');
export const READINESS = Symbol('Readiness');
export const SITE_URL = Symbol('SiteUrl');

/** Server time in milliseconds, by which windows and expiries are judged. */
export interface Clock {
  now(): number;
}
