import type { ChangedFile } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewedRow } from '../data/review-queue.repository.js';

/** Identifies the renderer of review pages. */
export const REVIEW_RENDERER = Symbol('ReviewRenderer');

/** Bytes whose memory is transferred to the thread that renders them. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

/** A changed file with the bytes of both revisions: empty for an absent file, null for a file that is not compared. */
export interface UncomparedFile extends Omit<ChangedFile, 'hunks'> {
  readonly old: OwnBytes | null;
  readonly now: OwnBytes | null;
}

/** The parts of a page or a document. The renderer reads the author's bytes itself. */
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
      /** The first line of the page, from 1. */
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

/** Renders the pages and documents of reviewers, outside of the event loop. */
export interface ReviewRenderer {
  /**
   * Lists the reviews of a state, or those that wait for a reviewer.
   * @throws ApiError `CURSOR_INVALID`
   */
  render(reviewer: string, question: RenderQuestion): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A rendering exceeded its time or memory. A repetition would exceed them too. */
export class RenderingTooLarge extends Error {
  override readonly name = 'RenderingTooLarge';
}
