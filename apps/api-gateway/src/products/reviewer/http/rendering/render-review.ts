import { assertCanonicalJson, canonicalizeJson, decodeUtf8 } from '@launch/contracts/json';
import {
  buildFindingsSchema,
  DIFF_LIMITS,
  moduleReceiptSchema,
  moduleReviewStatusSchema,
  type BuildFinding,
  type ReviewDiff,
  type ReviewedSubmissionDocument,
  type ReviewFindings,
} from '@launch/contracts/modules';
import { diffPage, filePage, submissionPage } from '../console/console.pages.js';
import { diffLines, linesOf, type DiffBudget } from '../../domain/line-diff.js';
import type { ReviewedRow } from '../../data/review-queue.repository.js';
import { readReviewedModule } from '../../domain/reviewed-module.js';
import type { OwnBytes, RenderQuestion } from '../../domain/review-rendering.js';

/** The pairs of lines that the comparisons of one answer may compare. */
const MAX_COMPARISONS = 20_000_000;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Renders one page or document, without side effects. The thread that runs it bounds its cost. */
export function renderReview(question: RenderQuestion): Uint8Array {
  switch (question.kind) {
    case 'submission-page': {
      const { row, request, findings } = question;
      const page = { row, module: readReviewedModule(request), status: statusOf(row) };
      return utf8(submissionPage(page, findingsDocument(row, findings)));
    }
    case 'submission-document': {
      const { row, request, reviewerPolicyDigest } = question;
      const { descriptor, files } = readReviewedModule(request);
      return canonicalizeJson({
        schemaVersion: 'service.modules.reviewed-submission.v1',
        receipt: moduleReceiptSchema.parse(JSON.parse(row.receipt)),
        package: descriptor,
        files: [...files],
        status: statusOf(row),
        supersededBy: row.supersededBy,
        planSha256: row.planSha256,
        reviewerPolicyDigest,
      } satisfies ReviewedSubmissionDocument);
    }
    case 'file-page': {
      const { submissionId, path, sha256, bytes, findings, from } = question;
      const here = findingsOf(findings).filter(({ source }) => source?.path === path);
      const file = { path, sha256, text: decodeUtf8(bytes) ?? null, byteCount: bytes.length };
      return utf8(filePage(submissionId, file, here, from));
    }
    case 'findings-document':
      return canonicalizeJson(findingsDocument(question.row, question.findings));
    case 'diff-page':
      return utf8(diffPage(diffOf(question)));
    case 'diff-document':
      return canonicalizeJson(diffOf(question));
  }
}

const statusOf = ({ projection }: ReviewedRow) => moduleReviewStatusSchema.parse(JSON.parse(projection));

const findingsOf = (bytes: OwnBytes | null): readonly BuildFinding[] =>
  bytes === null ? [] : buildFindingsSchema.parse(assertCanonicalJson(bytes)).findings;

const findingsDocument = (
  { submissionId, revision, findingsSha256 }: ReviewedRow,
  bytes: OwnBytes | null,
): ReviewFindings => ({
  schemaVersion: 'service.modules.review-findings.v1',
  submissionId,
  revision,
  findingsSha256,
  findings: [...findingsOf(bytes)],
});

function diffOf({
  submissionId,
  against,
  unchanged,
  files,
  truncated,
}: Extract<RenderQuestion, { kind: 'diff-page' | 'diff-document' }>): ReviewDiff {
  const budget: DiffBudget = {
    comparisons: MAX_COMPARISONS,
    lines: DIFF_LIMITS.lines,
    characters: DIFF_LIMITS.characters,
  };
  let isTruncated = truncated;
  const changed = files.map(({ old, now, ...file }) => {
    const [before, after] = [textOf(old), textOf(now)];
    if (before === null || after === null) return { ...file, hunks: null };
    const hunks = diffLines(linesOf(before), linesOf(after), DIFF_LIMITS.context, budget);
    isTruncated ||= hunks === null;
    return { ...file, hunks };
  });
  return {
    schemaVersion: 'service.modules.review-diff.v1',
    submissionId,
    against,
    unchanged,
    files: changed,
    truncated: isTruncated,
  };
}

/** Returns null for bytes that are not text, or that are not compared. */
const textOf = (bytes: OwnBytes | null): string | null => (bytes === null ? null : (decodeUtf8(bytes) ?? null));
