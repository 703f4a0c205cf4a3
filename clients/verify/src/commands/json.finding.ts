import { ERROR_CODES, finding, type ErrorCode, type Finding } from '@launch/contracts/errors';
import type { StrictJsonError } from '@launch/contracts/json';

const isWireCode = (code: string): code is ErrorCode => (ERROR_CODES as readonly string[]).includes(code);

/** Returns the service's code for a fault of strict JSON. A fault without its own code is a syntax error to a client. */
export function jsonFinding(error: StrictJsonError): Finding {
  const code: ErrorCode = isWireCode(error.code) ? error.code : 'JSON_SYNTAX';
  return finding(code, '', { actual: `${error.code} at byte ${error.offset}` });
}
