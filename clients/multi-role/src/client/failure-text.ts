import { findingsText } from './answer-text.js';
import type { ClientErrorBody } from './client.error.js';
import { plain } from './plain-text.js';

/** Formats a failure for a terminal: the fault, each finding, and the remaining doubt. */
export function failureText({
  code,
  message,
  httpStatus,
  refusal,
  findings,
  submissionMayExist,
  repeat,
}: ClientErrorBody): string {
  const refused = refusal === null ? '' : `  ${refusal.code} (HTTP ${httpStatus}): ${refusal.message}`;
  const lines = [
    `${message} (${code})`,
    refused,
    refusal?.retryAfterSeconds == null ? '' : `  ask again after ${refusal.retryAfterSeconds} s`,
    refusal?.statusUrl == null ? '' : `  the launch: ${refusal.statusUrl}`,
    refusal === null ? '' : `  request id ${refusal.requestId}`,
  ];
  const doubt = submissionMayExist
    ? `A launch may have been reserved. Send the same file under the same key again:\n  ${plain(repeat ?? '')}\n`
    : '';
  return (
    lines
      .filter((line) => line !== '')
      .map((line) => `${plain(line)}\n`)
      .join('') +
    findingsText(findings) +
    doubt
  );
}
