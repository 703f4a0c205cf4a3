export { CursorCodec } from './answers/cursor.codec.js';
export type { CursorScope } from './answers/cursor.codec.js';
export {
  markCreated,
  markPrivate,
  sendCacheable,
  sendJson,
  sendJsonBytes,
  sendPrivateJson,
} from './answers/send-json.js';
export { SIGNED_HEADERS, sendSigned, tagOf } from './answers/send-signed.js';
export { whileAsked } from './answers/while-asked.js';
export { DRAIN_BOUNDS, LingeringClose } from './connections/lingering-close.js';
export type { DrainBounds } from './connections/lingering-close.js';
export { ApiError, refusal, refusalOf, detailedRefusal } from './errors/api.error.js';
export type { ApiErrorDetail } from './errors/api.error.js';
export { errorsOf, DEFAULT_ERRORS } from './errors/error-answer.js';
export type { ErrorSchemas } from './errors/error-answer.js';
export type { ErrorContract, ErrorForm, ErrorHead } from './errors/error-contract.js';
export { ErrorFilter } from './errors/error.filter.js';
export { idempotencyKeyOf } from './idempotency/idempotency-key.js';
export { SingleFlight } from './idempotency/single-flight.js';
export { BoundedWork } from './quotas/bounded-work.js';
export type { WorkBound, WorkPlaces } from './quotas/bounded-work.js';
export { RateLimitService } from './quotas/rate-limit.service.js';
export type { RateLimitParts } from './quotas/rate-limit.service.js';
export type { BucketCharge, Counted, SharedBuckets } from './quotas/shared-buckets.js';
export { boundedCursor, listQuerySchema, readQuery } from './requests/query.js';
export type { ListQuery } from './requests/query.js';
export { revisionOf } from './requests/if-match.js';
export { BodyBudget } from './requests/request-body.js';
export { readCanonicalJson, readSchema, readStrictJson } from './requests/request-reader.js';
export type { Authenticator } from './routes/authenticator.js';
export { bodyOf, queryOf } from './routes/exchange.js';
export type { Exchange } from './routes/exchange.js';
export { CrossOrigin } from './routes/cross-origin.js';
export { Gate } from './routes/gate.hook.js';
export { MethodsByPath } from './routes/methods-by-path.js';
export { COMPONENTS, componentName } from './routes/describe-route.js';
export type { PathParameter, PathParameters } from './routes/path-parameters.js';
export { responseVersionOf } from './routes/response-versions.js';
export type { ResponseVersions } from './routes/response-versions.js';
export { routesOf } from './routes/route.decorator.js';
export { defineRoute } from './routes/route.definition.js';
export type {
  RouteAnswer,
  RouteBody,
  RouteDeclaration,
  RouteDefinition,
  RouteFamily,
} from './routes/route.definition.js';
export { AnswerSigner } from './signatures/answer-signer.js';
export { reportAnswerKey } from './signatures/answer-key.metrics.js';
export type { AnswerKeys, AnswerPlace } from './signatures/answer-signer.js';
export {
  ANSWER_COMPONENTS,
  ANSWER_TAG,
  contentDigestOf,
  publicHalfOf,
  verifyingKeyOf,
} from './signatures/message-signature.js';
export type { VerifyingKey } from './signatures/message-signature.js';
export { HttpServer } from './server/http.server.js';
export type { HttpServerOptions, HttpServerParts } from './server/http.server.js';
