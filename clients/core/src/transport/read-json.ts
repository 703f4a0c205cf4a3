import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { ExchangeError } from './exchange.error.js';
import { retryAfterOf } from './retry-after.js';
import type { Received } from './exchange.js';

const JSON_TYPE = /^application\/json(?:;\s*charset=utf-8)?$/i;

/**
 * Parses an answer as JSON: UTF-8, without duplicate members.
 * @throws {ExchangeError} `ANSWER_NOT_JSON`
 */
export function readJson({ status, headers, bytes }: Received): JsonValue {
  if (!JSON_TYPE.test(headers.get('content-type') ?? ''))
    throw new ExchangeError(
      'ANSWER_NOT_JSON',
      'the answer is not application/json in UTF-8',
      status,
      retryAfterOf(headers),
    );
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ExchangeError('ANSWER_NOT_JSON', `the answer: ${error.code} at byte ${error.offset}`, status);
  }
}
