import { Inject, Injectable } from '@nestjs/common';
import { BlobError, type BlobReader } from '@launch/blob-store';
import {
  MODULE_LIMITS,
  moduleReviewStatusSchema,
  type ModuleReviewStatus,
  type QueuedReview,
  type ReviewedFile,
  type ReviewQueue,
} from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewState } from '@launch/contracts/states';
import { ApiError, CursorCodec } from '@launch/http';
import type { FormReader } from '../../../platform/request-forms/form-reader.js';
import { ReviewReadinessService } from '../../../core/module-submissions/review-readiness.service.js';
import { BLOB_STORE, BUILD_RESULTS, FORM_READER } from '../../../platform/tokens.js';
import { RenderingTooLarge, type OwnBytes, type RenderQuestion, type UncomparedFile } from './review-rendering.js';
import { reviewedFilesForm } from './reviewed-module.js';
import { documentsOf } from './review-page.js';
import { ReviewQueueRepository, type ReviewedRow } from '../data/review-queue.repository.js';

/** The states in which a review waits for a reviewer. */
export const WAITING_STATES: readonly ReviewState[] = ['awaiting_plan', 'build_failed', 'built'];
const QUEUE_SCOPE = { route: 'GET /v1/reviewer/queue', reader: null };
/** The number of submissions whose lists of files are cached; a request never changes. */
const KEPT = 32;

/** The bytes that are compared: of one revision of a file, and of all files for one answer. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_IN_ALL = 8 * 1024 * 1024;
/** The largest file whose lines a page shows, in bytes. */
const MAX_SHOWN_BYTES = 8 * 1024 * 1024;

/** A review in the gateway's rows, with the list of the submission's files. */
export interface ReviewedSubmission {
  readonly row: ReviewedRow;
  readonly files: readonly ReviewedFile[];
  readonly status: ModuleReviewStatus;
}

/**
 * Serves the reads of reviewers from the gateway's rows and the blobs that they name
 * (docs/reference/modules.md#reviewer-routes).
 */
@Injectable()
export class ReadReviewsService {
  private readonly lists = new Map<Sha256Digest, Promise<readonly ReviewedFile[]>>();

  constructor(
    private readonly reviews: ReviewQueueRepository,
    private readonly readiness: ReviewReadinessService,
    private readonly cursors: CursorCodec,
    @Inject(FORM_READER) private readonly forms: FormReader,
    @Inject(BLOB_STORE) private readonly blobs: BlobReader,
    @Inject(BUILD_RESULTS) private readonly results: BlobReader,
  ) {}

  /**
   * Lists the reviews of a state, or those that wait for a reviewer.
   * @throws ApiError `CURSOR_INVALID`
   */
  async queue(state: ReviewState | undefined, cursor: string | undefined): Promise<ReviewQueue> {
    const scope = { ...QUEUE_SCOPE, route: `${QUEUE_SCOPE.route} ${state ?? 'waiting'}` };
    const [updatedAt, submissionId] = cursor === undefined ? [] : this.cursors.decode(scope, cursor);
    const after = updatedAt === undefined || submissionId === undefined ? null : { updatedAt, submissionId };
    const found = await this.reviews.queue(
      state === undefined ? WAITING_STATES : [state],
      MODULE_LIMITS.listMax,
      after,
    );
    const items = found.slice(0, MODULE_LIMITS.listMax);
    const last: QueuedReview | undefined = found.length > items.length ? items.at(-1) : undefined;
    return {
      schemaVersion: 'service.modules.review-queue.v1',
      items,
      nextCursor: last === undefined ? null : this.cursors.encode(scope, [last.updatedAt, last.submissionId]),
    };
  }

  /** @throws ApiError `NOT_FOUND` */
  async find(submissionId: string): Promise<ReviewedSubmission> {
    const row = await this.row(submissionId);
    const files = await this.filesOf(row.requestDigest);
    return { row, files, status: moduleReviewStatusSchema.parse(JSON.parse(row.projection)) };
  }

  /** Returns the parts of the page of a submission. @throws ApiError `NOT_FOUND` */
  async submissionPage(submissionId: string): Promise<RenderQuestion> {
    const row = await this.row(submissionId);
    const [request, findings] = await Promise.all([this.ownBytesOf(row.requestDigest), this.findingsOf(row)]);
    return { kind: 'submission-page', row, request, findings };
  }

  /** @throws ApiError `NOT_FOUND` */
  async submissionDocument(submissionId: string): Promise<RenderQuestion & { readonly row: ReviewedRow }> {
    const row = await this.row(submissionId);
    const { reviewerPolicyDigest } = await this.readiness.now();
    const request = await this.ownBytesOf(row.requestDigest);
    return { kind: 'submission-document', row, request, reviewerPolicyDigest };
  }

  /**
   * Returns a packaged file or a document that the review names: its plan, or an output of the build.
   * @throws ApiError `NOT_FOUND` for any other digest
   */
  async file(
    submissionId: string,
    digest: Sha256Digest,
  ): Promise<{ readonly bytes: Uint8Array; readonly path: string; readonly row: ReviewedRow }> {
    const { row, files, status } = await this.find(submissionId);
    const file = files.find(({ sha256 }) => sha256 === digest);
    const found = file ?? documentsOf(row, status).find(({ sha256 }) => sha256 === digest);
    if (found === undefined) throw new ApiError('NOT_FOUND');
    const isResult = 'isResult' in found && found.isResult;
    return { bytes: await this.bytesOf(digest, isResult ? this.results : this.blobs), path: found.path, row };
  }

  /**
   * Returns the parts of the page of a file.
   * @param from the first line of the page.
   * @throws ApiError `NOT_FOUND`; RenderingTooLarge for a file whose lines no page shows.
   */
  async filePage(submissionId: string, sha256: Sha256Digest, from: number): Promise<RenderQuestion> {
    const { bytes, path, row } = await this.file(submissionId, sha256);
    if (bytes.length > MAX_SHOWN_BYTES) throw new RenderingTooLarge(`${bytes.length} bytes`);
    const findings = await this.findingsOf(row);
    return { kind: 'file-page', submissionId, path, sha256, bytes: new Uint8Array(bytes), findings, from };
  }

  /** @throws ApiError `NOT_FOUND` */
  async findings(submissionId: string): Promise<RenderQuestion> {
    const row = await this.row(submissionId);
    return { kind: 'findings-document', row, findings: await this.findingsOf(row) };
  }

  /** Returns the parts of the difference from the superseded submission. @throws ApiError `NOT_FOUND` */
  async diff(submissionId: string, kind: 'diff-page' | 'diff-document'): Promise<RenderQuestion> {
    const { row, files } = await this.find(submissionId);
    const predecessor = row.supersedes === null ? null : await this.find(row.supersedes);
    const [before, after] = [filesByPath(predecessor?.files ?? []), filesByPath(files)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const changed = paths.filter((path) => before.get(path)?.sha256 !== after.get(path)?.sha256);
    let left = MAX_COMPARED_IN_ALL;
    let truncated = false;
    const uncompared: UncomparedFile[] = [];
    for (const path of changed) {
      const [old, now] = [before.get(path), after.get(path)];
      const sizes = [old?.byteCount ?? 0, now?.byteCount ?? 0] as const;
      const isCompared =
        predecessor !== null && Math.max(...sizes) <= MAX_COMPARED_BYTES && sizes[0] + sizes[1] <= left;
      if (isCompared) left -= sizes[0] + sizes[1];
      truncated ||= predecessor !== null && !isCompared;
      uncompared.push({
        path,
        change: old === undefined ? 'added' : now === undefined ? 'removed' : 'modified',
        before: old?.sha256 ?? null,
        after: now?.sha256 ?? null,
        old: isCompared ? await this.ownBytesOf(old?.sha256) : null,
        now: isCompared ? await this.ownBytesOf(now?.sha256) : null,
      });
    }
    const unchanged = paths.length - changed.length;
    return { kind, submissionId, against: row.supersedes, unchanged, files: uncompared, truncated };
  }

  /** @throws ApiError `NOT_FOUND` */
  private async row(submissionId: string): Promise<ReviewedRow> {
    const row = await this.reviews.find(submissionId);
    if (row === null) throw new ApiError('NOT_FOUND');
    return row;
  }

  private findingsOf({ findingsSha256 }: ReviewedRow): Promise<OwnBytes> | null {
    return findingsSha256 === null ? null : this.ownBytesOf(findingsSha256, this.results);
  }

  /** Returns a copy that can be transferred to a thread; empty for an absent file. */
  private async ownBytesOf(digest: Sha256Digest | undefined, from = this.blobs): Promise<OwnBytes> {
    return digest === undefined ? new Uint8Array() : new Uint8Array(await this.bytesOf(digest, from));
  }

  private async bytesOf(digest: Sha256Digest, from: BlobReader): Promise<Uint8Array> {
    try {
      return await from.get(digest);
    } catch (error) {
      if (error instanceof BlobError) throw new ApiError('MODULE_REVIEW_UNAVAILABLE', { cause: error });
      throw error;
    }
  }

  private filesOf(requestDigest: Sha256Digest): Promise<readonly ReviewedFile[]> {
    const known = this.lists.get(requestDigest);
    if (known !== undefined) return known;
    const read = this.readFiles(requestDigest);
    this.lists.set(requestDigest, read);
    read.catch(() => this.lists.delete(requestDigest));
    if (this.lists.size > KEPT) for (const oldest of this.lists.keys()) if (this.lists.delete(oldest)) break;
    return read;
  }

  private async readFiles(requestDigest: Sha256Digest): Promise<readonly ReviewedFile[]> {
    const bytes = await this.ownBytesOf(requestDigest);
    return (await this.forms.read(reviewedFilesForm, bytes, null)).form.files;
  }
}

const filesByPath = (files: readonly ReviewedFile[]): ReadonlyMap<string, ReviewedFile> =>
  new Map(files.map((file) => [file.path, file]));
