import { revertDataOf } from '@launch/chain';
import { explainRevert } from '@launch/evm';
import { BaseError } from 'viem';

/** Why a transaction was not sent, in lines for a terminal: a revert with its whole reason and the way out, never the calldata. */
export function sendFailureText(error: unknown): string {
  const data = revertDataOf(error);
  if (data !== null) {
    const { actual, expected, detail } = explainRevert(data);
    return [
      `The transaction reverts and was not sent: ${actual}`,
      ...(expected === null ? [] : [`Expected: ${expected}`]),
      detail,
    ].join('\n');
  }
  // A BaseError's whole message repeats the transaction.
  const reason =
    error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : String(error);
  return `The transaction was not sent: ${reason}`;
}
