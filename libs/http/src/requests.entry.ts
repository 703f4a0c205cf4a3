// Judging and refusing a body without a server: worker threads and `launch-admin` load this entry and, with it, no
// server framework.
export { ApiError, refusal, refusalOf, detailedRefusal } from './errors/api.error.js';
export type { ApiErrorDetail } from './errors/api.error.js';
export { readCanonicalJson, readSchema, readStrictJson } from './requests/request-reader.js';
