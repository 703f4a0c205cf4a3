/** A client of every route in the OpenAPI document. A route is a value (`getLaunch`), which `ApiClient.call` takes. */
export { ApiClient, BOUNDS, type ApiClientOptions, type Bounds } from './api-client.js';
export { ApiClientError, type ApiClientErrorCode } from './api-client.error.js';
export { readOrigin } from './origin.js';
export type { Answer, InputOf, Operation, OperationId, StatusOf, ValueOf } from './operation.js';
export type { components } from './generated/schema.js';
export { OPENAPI_SHA256 } from './generated/document.js';
export * from './generated/operations.js';
