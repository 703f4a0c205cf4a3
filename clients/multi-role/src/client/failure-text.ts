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
    ? 'A launch may have been reserved: repeat this very command, with the same file.\n'
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
