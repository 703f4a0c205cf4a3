/** A client of every route in the OpenAPI document. A route is a value (`getLaunch`) that `ApiClient.call` takes. */
export { ApiClient, BOUNDS, type ApiClientOptions, type Bounds } from './api-client.js';
export {
  ExchangeError as ApiClientError,
  readOrigin,
  type ExchangeErrorCode as ApiClientErrorCode,
} from '@launch/client-core/transport';
export type { Answer, InputOf, Operation, OperationId, StatusOf, ValueOf } from './operation.js';
export type { components } from './generated/schema.js';
export { OPENAPI_SHA256 } from './generated/document.js';
export * from './generated/operations.js';
