export type { JsonObject, JsonValue } from './json.types.js';
export { givenName, StrictJsonError, type StrictJsonErrorCode } from './strict-json.error.js';
export { decodeUtf8 } from './utf8.decoder.js';
export { MAX_JSON_VALUES, parseStrictJson, type StrictJsonLimits } from './strict-json.parser.js';
export { reservedMember } from './reserved-member.js';
export { assertCanonicalJson, canonicalJsonText, canonicalizeJson, isCanonical } from './canonical-json.js';
