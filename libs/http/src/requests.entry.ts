// What judging a body and refusing it need, without a server: worker threads and `launch-admin` load this entry, and no
// framework's server with it.
export { ApiError, refusal, refusalOf, wholeRefusal } from './errors/api.error.js';
export type { ApiErrorDetail } from './errors/api.error.js';
export { readCanonicalDocument, readCanonicalJson, readSchema, readStrictJson } from './requests/request-reader.js';
