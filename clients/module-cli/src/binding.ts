import {
  familyIdOf,
  type ModuleReceipt,
  type ModuleReviewStatus,
  type ModuleSubmissionList,
} from '@launch/contracts/modules';
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

const faulty = (path: string): ModuleCliError => ModuleCliError.own('MODULE_API_RESPONSE', { path });

/**
 * Checks a receipt against itself: its family is the author's, and it replaces another submission.
 * @param place where the receipt is in the response
 * @throws {ModuleCliError} `MODULE_API_RESPONSE`
 */
export function checkReceipt(receipt: ModuleReceipt, place = ''): void {
  const { submissionId, familyId, author, family, supersedes } = receipt;
  if (familyId !== familyIdOf(author, family)) throw faulty(`${place}/familyId`);
  if (supersedes === submissionId) throw faulty(`${place}/supersedes`);
}

/**
 * Checks a page against itself: receipts of one wallet, each once, newest first, and the cursor of the last one. A page behind
 * a kept receipt has older ones of the same wallet.
 * @param previous the kept receipt that the page begins behind
 * @throws {ModuleCliError} `MODULE_API_RESPONSE`
 */
export function checkList(
  { items, nextCursor }: ModuleSubmissionList,
  cursor: string | null,
  previous: ModuleReceipt | null,
): void {
  const seen = new Set<string>(cursor === null ? [] : [cursor]);
  let newer = previous;
  for (const [index, receipt] of items.entries()) {
    const { submissionId, author, receivedAt } = receipt;
    if (seen.has(submissionId)) throw faulty(`/items/${index}/submissionId`);
    seen.add(submissionId);
    checkReceipt(receipt, `/items/${index}`);
    if (newer !== null && author !== newer.author) throw faulty(`/items/${index}/author`);
    if (newer !== null && receivedAt > newer.receivedAt) throw faulty(`/items/${index}/receivedAt`);
    newer = receipt;
  }
  if (nextCursor !== null && nextCursor !== items.at(-1)?.submissionId) throw faulty('/nextCursor');
}

const DECIDED = { accepted: 'accept', changes_requested: 'request_changes', rejected: 'reject' } as const;

/** Returns the time of the step that led to the state of a review; null if the status does not have it. */
function stepTimeOf({ review, lastError }: ModuleReviewStatus): string | null {
  const { state, createdAt, queuedAt, startedAt, builtAt, decidedAt } = review;
  if (state === 'awaiting_plan') return createdAt;
  if (state === 'queued') return queuedAt;
  if (state === 'running') return startedAt;
  if (state === 'built') return builtAt;
  return state === 'build_failed' ? (lastError?.at ?? null) : decidedAt;
}

/**
 * Checks that a review's status agrees with itself and with the submission.
 * @throws {ModuleCliError} `MODULE_REVIEW_RESPONSE`, and `MODULE_API_RECEIPT_MISMATCH` for another package than the receipt's
 */
export function bindReview(status: ModuleReviewStatus, submissionId: string, kept: ModuleReceipt | null): void {
  const { review, decision, build, lastError } = status;
  const { state, revision, attempt, createdAt, updatedAt, queuedAt, startedAt, builtAt, decidedAt } = review;
  const outcome = Object.hasOwn(DECIDED, state) ? DECIDED[state as keyof typeof DECIDED] : null;
  const isBuilt = state === 'built' || outcome === 'accept';
  const isWithin = (at: string | null | undefined): boolean =>
    at === null || at === undefined || (createdAt <= at && at <= updatedAt);
  const checks: readonly (readonly [path: string, holds: boolean])[] = [
    ['/submissionId', status.submissionId === submissionId],
    ['/decision', (decision?.outcome ?? null) === outcome],
    ['/review/decidedAt', (decidedAt === null) === (outcome === null)],
    ['/buildEvidenceRecorded', status.buildEvidenceRecorded === (build !== null)],
    ['/build', build !== null || !isBuilt],
    ['/review/builtAt', (builtAt !== null) === (build !== null)],
    ['/decision/artifactDigest', decision === null || decision.artifactDigest === (build?.artifactDigest ?? null)],
    [
      '/decision/hostManifestDigest',
      decision === null || decision.hostManifestDigest === (build?.hostManifestDigest ?? null),
    ],
    ['/lastError', state !== 'build_failed' || lastError !== null],
    ['/review/revision', (revision === 0) === (state === 'awaiting_plan')],
    ['/review/attempt', attempt <= revision && (attempt > 0 || startedAt === null)],
    ['/review/updatedAt', updatedAt === stepTimeOf(status)],
    ['/review/createdAt', createdAt <= updatedAt],
    ['/review/queuedAt', isWithin(queuedAt)],
    ['/review/startedAt', isWithin(startedAt)],
    ['/review/builtAt', isWithin(builtAt)],
    ['/lastError/at', isWithin(lastError?.at)],
  ];
  for (const [path, holds] of checks) if (!holds) throw ModuleCliError.own('MODULE_REVIEW_RESPONSE', { path });
  if (kept === null) return;
  if (status.packageId !== kept.packageId) throw mismatch('/packageId');
  if (status.requestDigest !== kept.requestDigest) throw mismatch('/requestDigest');
  if (createdAt !== kept.receivedAt) throw mismatch('/review/createdAt');
}
