import type { ChangedFile } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewedRow } from '../data/review-queue.repository.js';

/** Names the renderer of review pages. */
export const REVIEW_RENDERER = Symbol('ReviewRenderer');

/** Bytes that are handed over to the thread which renders them. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

/** A file that changed, with the bytes of both revisions: empty for a file that is not there, null for one that is not compared. */
export interface UncomparedFile extends Omit<ChangedFile, 'hunks'> {
  readonly old: OwnBytes | null;
  readonly now: OwnBytes | null;
}

/** Parts of a page or a document. The renderer reads the foreign bytes itself. */
export type RenderQuestion =
  | {
      readonly kind: 'submission-page';
      readonly row: ReviewedRow;
      readonly request: OwnBytes;
      readonly findings: OwnBytes | null;
    }
  | {
      readonly kind: 'submission-document';
      readonly row: ReviewedRow;
      readonly request: OwnBytes;
      readonly reviewerPolicyDigest: Sha256Digest | null;
    }
  | {
      readonly kind: 'file-page';
      readonly submissionId: string;
      readonly path: string;
      readonly sha256: Sha256Digest;
      readonly bytes: OwnBytes;
      readonly findings: OwnBytes | null;
      /** The line that the page begins at, from 1. */
      readonly from: number;
    }
  | { readonly kind: 'findings-document'; readonly row: ReviewedRow; readonly findings: OwnBytes | null }
  | {
      readonly kind: 'diff-page' | 'diff-document';
      readonly submissionId: string;
      readonly against: string | null;
      readonly unchanged: number;
      readonly files: readonly UncomparedFile[];
      /** Whether files were left out of the comparison. */
      readonly truncated: boolean;
    };

/** Renders what reviewers read, outside of the event loop. */
export interface ReviewRenderer {
  /**
   * Renders a page as HTML, or a document as canonical JSON, in UTF-8.
   * @param reviewer whose question it is: each reviewer has one rendered at a time.
   * @throws RenderingTooLarge for what exceeds the time or memory of one rendering; ApiError `SERVICE_UNAVAILABLE` while
   * too many wait, or when a rendering failed.
   */
  render(reviewer: string, question: RenderQuestion): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A rendering took more time or memory than one may. Asking again takes as much. */
export class RenderingTooLarge extends Error {
  override readonly name = 'RenderingTooLarge';
}
