import { storedSubmission, walletOf, type PlannedSubmission } from '@launch/contracts/modules';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { plannedSubmission } from '@launch/evm';

/** The part of a submission that a review needs. Plain data, and small: a package is up to 24 MiB. */
export interface ReadSubmission {
  readonly planned: PlannedSubmission;
  /** Author and reward wallet. */
  readonly wallets: readonly Hex[];
}

/** Reads a stored request; null for bytes that intake would not have stored. */
export function readSubmission(bytes: Uint8Array, requestDigest: Sha256Digest): ReadSubmission | null {
  const submission = storedSubmission(bytes);
  if (submission === null) return null;
  const { author, rewardWallet } = submission.package;
  return {
    planned: plannedSubmission(submission, requestDigest),
    wallets: [walletOf(author), walletOf(rewardWallet)],
  };
}
