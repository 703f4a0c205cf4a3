import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { ApiClientError } from './api-client.error.js';
import type { AnswerBody } from './operation.js';

/** What came, before anything is believed of it. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const JSON_TYPE = /^application\/json(?:;\s*charset=utf-8)?$/i;

/**
 * What an answer says, by the schema that the document has for it; `undefined` for an answer that is not JSON.
 * @throws {ApiClientError} `ANSWER_NOT_JSON`, `ANSWER_SCHEMA_MISMATCH`
 */
export function decodeAnswer(received: Received, answer: AnswerBody): JsonValue | undefined {
  if (answer.body === 'bytes') return undefined;
  if (answer.body === 'empty') {
    if (received.bytes.length > 0) throw mismatch(received, 'has a body, which this answer never has');
    return undefined;
  }
  const value = readJson(received);
  if (!('validate' in answer)) return value;
  if (!answer.validate(value)) {
    const [error] = answer.validate.errors ?? [];
    throw mismatch(received, `does not keep "${error?.keyword ?? ''}" of its schema at "${error?.instancePath ?? ''}"`);
  }
  if (answer.codes !== undefined && !answer.codes.includes(codeIn(value)))
    throw mismatch(received, 'has an error code that this route never answers with');
  return value;
}

function readJson({ status, headers, bytes }: Received): JsonValue {
  if (!JSON_TYPE.test(headers.get('content-type') ?? ''))
    throw new ApiClientError('ANSWER_NOT_JSON', 'the answer is not application/json in UTF-8', status);
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ApiClientError('ANSWER_NOT_JSON', `the answer: ${error.code} at byte ${error.offset}`, status);
  }
}

/** The code in an error body whose schema was kept. */
const codeIn = (value: JsonValue): string => (value as { readonly error: { readonly code: string } }).error.code;

const mismatch = ({ status }: Received, what: string): ApiClientError =>
  new ApiClientError('ANSWER_SCHEMA_MISMATCH', `the answer ${what}`, status);
