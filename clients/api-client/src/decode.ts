import { ExchangeError, readJson, type Received } from '@launch/client-core/transport';
import type { JsonValue } from '@launch/contracts/json';
import type { AnswerBody } from './operation.js';

/**
 * Decodes an answer by its schema in the document. Returns `undefined` for an answer that is not JSON.
 * @throws {ExchangeError} `ANSWER_NOT_JSON`, `ANSWER_SCHEMA_MISMATCH`
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

/** Reads the code of a validated error body. */
const codeIn = (value: JsonValue): string => (value as { readonly error: { readonly code: string } }).error.code;

const mismatch = ({ status }: Received, what: string): ExchangeError =>
  new ExchangeError('ANSWER_SCHEMA_MISMATCH', `the answer ${what}`, status);
