// What judging a body needs, without a server: a worker thread loads this entry and not Nest.
export { ApiError, refusal, refusalOf } from './errors/api.error.js';
export type { ApiErrorDetail } from './errors/api.error.js';
export { readCanonicalDocument, readCanonicalJson, readSchema, readStrictJson } from './requests/request-reader.js';
