import { revertDataOf } from '@launch/chain';
import { explainRevert } from '@launch/evm';
import { BaseError } from 'viem';

/** Explains in lines for a terminal why a transaction was not sent: a revert with its whole reason and the remedy, never the calldata. */
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
