import type { ModuleReceipt, ModuleReviewStatus, ModuleSubmissionList } from '@launch/contracts/modules';
import { ModuleCliError } from './module-cli.error.js';

/** The members of a receipt that the saved request determines, known before the receipt arrives. */
export type ExpectedReceipt = Pick<
  ModuleReceipt,
  | 'packageId'
  | 'familyId'
  | 'requestDigest'
  | 'author'
  | 'rewardWallet'
  | 'name'
  | 'version'
  | 'family'
  | 'byteCount'
  | 'fileCount'
  | 'supersedes'
>;

const mismatch = (path: string): ModuleCliError => ModuleCliError.own('MODULE_API_RECEIPT_MISMATCH', { path });

/** @throws {ModuleCliError} `MODULE_API_RECEIPT_MISMATCH` with the first member that is not the request's. */
export function bindToRequest(receipt: ModuleReceipt, expected: ExpectedReceipt): void {
  for (const [name, value] of Object.entries(expected))
    if (receipt[name as keyof ExpectedReceipt] !== value) throw mismatch(`/${name}`);
}

/**
 * Checks a page against itself: receipts of one wallet, each once, newest first, and the cursor of the last one.
 * @throws {ModuleCliError} `MODULE_API_RESPONSE`
 */
export function checkList({ items, nextCursor }: ModuleSubmissionList, cursor: string | null): void {
  const faulty = (path: string): ModuleCliError => ModuleCliError.own('MODULE_API_RESPONSE', { path });
  const seen = new Set<string>(cursor === null ? [] : [cursor]);
  for (const [index, { submissionId, author, receivedAt }] of items.entries()) {
    if (seen.has(submissionId)) throw faulty(`/items/${index}/submissionId`);
    seen.add(submissionId);
    if (author !== items[0]!.author) throw faulty(`/items/${index}/author`);
    if (index > 0 && receivedAt > items[index - 1]!.receivedAt) throw faulty(`/items/${index}/receivedAt`);
  }
  if (nextCursor !== null && nextCursor !== items.at(-1)?.submissionId) throw faulty('/nextCursor');
}

const DECIDED = { accepted: 'accept', changes_requested: 'request_changes', rejected: 'reject' } as const;

/**
 * Checks that a review's status agrees with itself and with the submission.
 * @throws {ModuleCliError} `MODULE_REVIEW_RESPONSE`, and `MODULE_API_RECEIPT_MISMATCH` for another package than the receipt's
 */
export function bindReview(status: ModuleReviewStatus, submissionId: string, kept: ModuleReceipt | null): void {
  const { review, decision, build } = status;
  const outcome = Object.hasOwn(DECIDED, review.state) ? DECIDED[review.state as keyof typeof DECIDED] : null;
  const isAccepted = outcome === 'accept';
  const checks: readonly (readonly [path: string, holds: boolean])[] = [
    ['/submissionId', status.submissionId === submissionId],
    ['/decision', (decision?.outcome ?? null) === outcome],
    ['/review/decidedAt', (review.decidedAt === null) === (outcome === null)],
    ['/buildEvidenceRecorded', status.buildEvidenceRecorded === (build !== null)],
    ['/build', build !== null || (review.state !== 'built' && !isAccepted)],
    ['/review/builtAt', review.builtAt !== null || (review.state !== 'built' && !isAccepted)],
    ['/decision/artifactDigest', !isAccepted || decision?.artifactDigest === build?.artifactDigest],
    ['/decision/hostManifestDigest', !isAccepted || decision?.hostManifestDigest === build?.hostManifestDigest],
    ['/lastError', review.state !== 'build_failed' || status.lastError !== null],
    ['/review/attempt', review.attempt > 0 || (review.state !== 'running' && review.state !== 'built')],
    ['/review/updatedAt', review.updatedAt >= review.createdAt],
  ];
  for (const [path, holds] of checks) if (!holds) throw ModuleCliError.own('MODULE_REVIEW_RESPONSE', { path });
  if (kept === null) return;
  if (status.packageId !== kept.packageId) throw mismatch('/packageId');
  if (status.requestDigest !== kept.requestDigest) throw mismatch('/requestDigest');
}
