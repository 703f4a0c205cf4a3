import { Inject, Injectable } from '@nestjs/common';
import { BlobError, type BlobStore } from '@launch/blob-store';
import {
  buildFindingsSchema,
  DIFF_LIMITS,
  MODULE_LIMITS,
  moduleReceiptSchema,
  moduleReviewStatusSchema,
  type ChangedFile,
  type ModuleReviewStatus,
  type QueuedReview,
  type ReviewDiff,
  type ReviewedFile,
  type ReviewedSubmissionDocument,
  type ReviewFindings,
  type ReviewQueue,
  type ReviewState,
  type Sha256Digest,
} from '@launch/contracts';
import { assertCanonicalJson, decodeUtf8 } from '@launch/contracts/json';
import { ApiError, CursorCodec } from '@launch/http';
import type { FormReader } from '../launches/request/form-reader.js';
import { ReviewReadinessService } from '../modules/review-readiness.service.js';
import { BLOB_STORE, FORM_READER } from '../tokens.js';
import { diffLines, linesOf } from './line-diff.js';
import type { ReviewedModule } from './reviewed-module.js';
import { ReviewQueueRepository, type ReviewedRow } from './review-queue.repository.js';

/** States in which a reviewer has something to do. */
export const WAITING_STATES: readonly ReviewState[] = ['awaiting_plan', 'build_failed', 'built'];
const QUEUE_SCOPE = { route: 'GET /v1/reviewer/queue', reader: null };
/** Submissions whose requests were read; a request never changes. */
const KEPT = 32;

/** A page that a reviewer reads: the submission, its files and how its review stands. */
export interface ReviewPage {
  readonly row: ReviewedRow;
  readonly module: ReviewedModule;
  readonly status: ModuleReviewStatus;
}

/** What reviewers read: the gateway's rows, and blobs that these name (decision 70). */
@Injectable()
export class ReadReviewsService {
  private readonly modules = new Map<Sha256Digest, Promise<ReviewedModule>>();

  constructor(
    private readonly reviews: ReviewQueueRepository,
    private readonly readiness: ReviewReadinessService,
    private readonly cursors: CursorCodec,
    @Inject(FORM_READER) private readonly forms: FormReader,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** @param state one state; those that wait for a reviewer without it. @throws ApiError `CURSOR_INVALID` */
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
  async page(submissionId: string): Promise<ReviewPage> {
    const row = await this.reviews.find(submissionId);
    if (row === null) throw new ApiError('NOT_FOUND');
    const module = await this.moduleOf(row.requestDigest);
    return { row, module, status: moduleReviewStatusSchema.parse(JSON.parse(row.projection)) };
  }

  /** @throws ApiError `NOT_FOUND` */
  async submission(submissionId: string): Promise<ReviewedSubmissionDocument> {
    const { row, module, status } = await this.page(submissionId);
    const { reviewerPolicyDigest } = await this.readiness.now();
    return {
      schemaVersion: 'service.modules.reviewed-submission.v1',
      receipt: moduleReceiptSchema.parse(JSON.parse(row.receipt)),
      package: module.descriptor,
      files: [...module.files],
      status,
      supersededBy: row.supersededBy,
      planSha256: row.planSha256,
      reviewerPolicyDigest,
    };
  }

  /** A packaged file, or a document that the review names: the plan, and what the build left. @throws ApiError `NOT_FOUND` for any other digest */
  async file(
    submissionId: string,
    digest: Sha256Digest,
  ): Promise<{ readonly bytes: Uint8Array; readonly path: string }> {
    const { row, module, status } = await this.page(submissionId);
    const file = module.files.find(({ sha256 }) => sha256 === digest);
    const path = file?.path ?? documentsOf(row, status).find(({ sha256 }) => sha256 === digest)?.path;
    if (path === undefined) throw new ApiError('NOT_FOUND');
    return { bytes: await this.bytesOf(digest), path };
  }

  /** @throws ApiError `NOT_FOUND` */
  async findings(submissionId: string): Promise<ReviewFindings> {
    const row = await this.reviews.find(submissionId);
    if (row === null) throw new ApiError('NOT_FOUND');
    return this.findingsOf(row);
  }

  async findingsOf({ submissionId, revision, findingsSha256 }: ReviewedRow): Promise<ReviewFindings> {
    const found =
      findingsSha256 === null
        ? []
        : buildFindingsSchema.parse(assertCanonicalJson(await this.bytesOf(findingsSha256))).findings;
    return {
      schemaVersion: 'service.modules.review-findings.v1',
      submissionId,
      revision,
      findingsSha256,
      findings: found,
    };
  }

  /** @throws ApiError `NOT_FOUND` */
  async diff(submissionId: string): Promise<ReviewDiff> {
    const { row, module } = await this.page(submissionId);
    const predecessor = row.supersedes === null ? null : await this.page(row.supersedes);
    const [before, after] = [filesByPath(predecessor?.module.files ?? []), filesByPath(module.files)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const changed = paths.filter((path) => before.get(path)?.sha256 !== after.get(path)?.sha256);
    const told = new Telling();
    const files: ChangedFile[] = [];
    for (const path of changed) {
      const [old, now] = [before.get(path), after.get(path)];
      const hunks = predecessor === null ? null : told.take(await this.textOf(old), await this.textOf(now));
      files.push({
        path,
        change: old === undefined ? 'added' : now === undefined ? 'removed' : 'modified',
        before: old?.sha256 ?? null,
        after: now?.sha256 ?? null,
        hunks,
      });
    }
    return {
      schemaVersion: 'service.modules.review-diff.v1',
      submissionId,
      against: row.supersedes,
      unchanged: paths.length - changed.length,
      files,
      truncated: told.isFull,
    };
  }

  /** Empty for a file that is not there, null for bytes that are no text. */
  private async textOf(file: ReviewedFile | undefined): Promise<string | null> {
    return file === undefined ? '' : (decodeUtf8(await this.bytesOf(file.sha256)) ?? null);
  }

  private async bytesOf(digest: Sha256Digest): Promise<Uint8Array> {
    try {
      return await this.blobs.get(digest);
    } catch (error) {
      if (error instanceof BlobError) throw new ApiError('MODULE_REVIEW_UNAVAILABLE', { cause: error });
      throw error;
    }
  }

  private moduleOf(requestDigest: Sha256Digest): Promise<ReviewedModule> {
    const known = this.modules.get(requestDigest);
    if (known !== undefined) return known;
    const read = this.readModule(requestDigest);
    this.modules.set(requestDigest, read);
    read.catch(() => this.modules.delete(requestDigest));
    if (this.modules.size > KEPT) for (const oldest of this.modules.keys()) if (this.modules.delete(oldest)) break;
    return read;
  }

  private async readModule(requestDigest: Sha256Digest): Promise<ReviewedModule> {
    const bytes = new Uint8Array(await this.bytesOf(requestDigest));
    return (await this.forms.read('module-review', bytes, null)).form;
  }
}

/** What a review names besides the packaged files, each as it is called on the pages. */
export const documentsOf = (
  { planSha256, findingsSha256 }: ReviewedRow,
  { build }: ModuleReviewStatus,
): readonly { readonly path: string; readonly sha256: Sha256Digest }[] =>
  [
    { path: 'build plan', sha256: planSha256 },
    { path: 'build artifact', sha256: build?.artifactDigest ?? null },
    { path: 'host manifest', sha256: build?.hostManifestDigest ?? null },
    { path: 'toolchain', sha256: build?.toolchainDigest ?? null },
    { path: 'build logs', sha256: build?.logsSha256 ?? null },
    { path: 'build findings', sha256: findingsSha256 },
  ].flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ path, sha256 }]));

const filesByPath = (files: readonly ReviewedFile[]): ReadonlyMap<string, ReviewedFile> =>
  new Map(files.map((file) => [file.path, file]));

/** Tells lines until an answer holds as much as it may. */
class Telling {
  private lines = 0;
  private characters = 0;
  isFull = false;

  take(before: string | null, after: string | null): ChangedFile['hunks'] {
    if (before === null || after === null || this.isFull) return null;
    const hunks = diffLines(linesOf(before), linesOf(after), DIFF_LIMITS.context);
    const lines = hunks.flatMap((hunk) => hunk.lines);
    this.lines += lines.length;
    this.characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    this.isFull = this.lines > DIFF_LIMITS.lines || this.characters > DIFF_LIMITS.characters;
    return this.isFull ? null : hunks;
  }
}
