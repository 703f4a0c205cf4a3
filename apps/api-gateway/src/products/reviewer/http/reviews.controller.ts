import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  buildPlanSchema,
  decisionDraftRequestSchema,
  decisionDraftSchema,
  reviewDiffSchema,
  reviewedSubmissionSchema,
  REVIEWER_PATH,
  reviewFindingsSchema,
  reviewMovedSchema,
  reviewQueueSchema,
  sentDecisionSchema,
  type ReviewMoved,
} from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { REVIEW_STATES } from '@launch/contracts/states';
import {
  ApiError,
  bodyOf,
  boundedCursor,
  markPrivate,
  queryOf,
  readSchema,
  readStrictJson,
  revisionOf,
  sendJson,
  sendJsonBytes,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { ChangeReviewsService } from '../domain/change-reviews.service.js';
import { DraftDecisionService } from '../domain/draft-decision.service.js';
import { ReadReviewsService } from '../domain/read-reviews.service.js';
import {
  REVIEW_RENDERER,
  RenderingTooLarge,
  type RenderQuestion,
  type ReviewRenderer,
} from '../domain/review-rendering.js';
import { ReviewerRoute } from './reviewer.route.js';

const SUBMISSION = `${REVIEWER_PATH}/submissions/{submissionId}`;
/** Room for a plan of 128 sources with long paths, and a decision with its longest reason. */
const PLAN_BYTES = 256 * 1024;
const DECISION_BYTES = 32 * 1024;

const queueQuery = z.strictObject({
  state: z
    .enum(REVIEW_STATES)
    .optional()
    .meta({ description: 'Reviews in this state; without it those that wait for a reviewer.' }),
  cursor: boundedCursor(512),
});
type QueueQuery = z.output<typeof queueQuery>;

const COMMON = { tag: 'Reviews', scopes: ['modules:review'] } as const;
const READ = { ...COMMON, method: 'get', quota: 'read' } as const;
const CHANGE = { ...COMMON, quota: 'hint', ifMatch: 'required' } as const;
const MOVED = { 200: { description: 'The review after the change, which is durable.', schema: reviewMovedSchema } };
const CHANGE_ERRORS = [
  'NOT_FOUND',
  'REVISION_STALE',
  'REVIEW_STATE_INVALID',
  'MODULE_REVIEW_UNAVAILABLE',
  'MODULE_REVIEW_JOB_UNAVAILABLE',
] as const;

/** The parameters of a path, whose form the gate has checked. */
export const pathOf = ({ params }: FastifyRequest) =>
  params as { readonly submissionId: string; readonly sha256: Sha256Digest };

function sendPrivate(reply: FastifyReply, value: object): void {
  markPrivate(reply);
  // A change creates nothing under a new address, so a POST answers 200 too.
  reply.code(200);
  sendJson(reply, value);
}

function sendDocument(reply: FastifyReply, bytes: Uint8Array): void {
  markPrivate(reply);
  sendJsonBytes(reply, bytes);
}

@Controller()
export class ReviewsController {
  constructor(
    private readonly reading: ReadReviewsService,
    private readonly changing: ChangeReviewsService,
    private readonly drafting: DraftDecisionService,
    @Inject(REVIEW_RENDERER) private readonly renderer: ReviewRenderer,
  ) {}

  @ReviewerRoute({
    ...READ,
    path: `${REVIEWER_PATH}/queue`,
    id: 'listReviews',
    query: queueQuery,
    summary: 'Reviews, longest unchanged first',
    answers: { 200: { description: 'A page of at most 20.', schema: reviewQueueSchema } },
    errors: ['CURSOR_INVALID'],
  })
  async queue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { state, cursor } = queryOf<QueueQuery>(request);
    sendPrivate(reply, await this.reading.queue(state, cursor));
  }

  @ReviewerRoute({
    ...READ,
    path: SUBMISSION,
    id: 'getReviewedSubmission',
    summary: 'A submission and how its review stands',
    description: 'The entity tag is the revision that `If-Match` of a change names.',
    answers: {
      200: { description: 'The submission.', schema: reviewedSubmissionSchema, headers: { ETag: 'The revision.' } },
    },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE'],
  })
  async submission(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const question = await this.reading.submissionDocument(pathOf(request).submissionId);
    const document = await this.render(request, question);
    reply.header('etag', `"${question.row.revision}"`);
    sendDocument(reply, document);
  }

  @ReviewerRoute({
    ...READ,
    path: `${SUBMISSION}/files/{sha256}`,
    id: 'getReviewedFile',
    summary: 'The bytes of a packaged file, or of a document that the review names',
    description: 'Never as a page: the bytes are an attachment without a type.',
    answers: { 200: { description: 'The bytes.', mediaTypes: ['application/octet-stream'] } },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE'],
  })
  async file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { submissionId, sha256 } = pathOf(request);
    const { bytes } = await this.reading.file(submissionId, sha256);
    markPrivate(reply);
    reply
      .header('content-type', 'application/octet-stream')
      .header('content-disposition', 'attachment')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  @ReviewerRoute({
    ...READ,
    path: `${SUBMISSION}/findings`,
    id: 'getReviewFindings',
    summary: 'What the build found',
    answers: { 200: { description: 'The findings; none before a build.', schema: reviewFindingsSchema } },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE'],
  })
  async findings(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(reply, await this.render(request, await this.reading.findings(pathOf(request).submissionId)));
  }

  @ReviewerRoute({
    ...READ,
    path: `${SUBMISSION}/diff`,
    id: 'getReviewDiff',
    summary: 'How the files differ from those of the superseded submission',
    answers: { 200: { description: 'The differences.', schema: reviewDiffSchema } },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE'],
  })
  async diff(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const question = await this.reading.diff(pathOf(request).submissionId, 'diff-document');
    sendDocument(reply, await this.render(request, question));
  }

  @ReviewerRoute({
    ...CHANGE,
    method: 'put',
    path: `${SUBMISSION}/plan`,
    id: 'attachPlan',
    summary: 'Attach a build plan',
    description:
      'The plan is stored by its canonical JSON and built. The same plan for the same revision is one change, whoever sends it again.',
    body: { schema: buildPlanSchema, maxBytes: PLAN_BYTES, mediaType: 'application/json', form: 'strict' },
    answers: MOVED,
    errors: [...CHANGE_ERRORS, 'PLAN_MISMATCH', 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED'],
  })
  async plan(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const plan = readSchema(buildPlanSchema, readStrictJson(bodyOf(request)));
    await this.answer(reply, this.changing.attachPlan(pathOf(request).submissionId, revisionOf(request), plan));
  }

  @ReviewerRoute({
    ...CHANGE,
    method: 'post',
    path: `${SUBMISSION}/requeue`,
    id: 'requeueReview',
    takesNoBody: true,
    summary: 'Build the attached plan once more',
    description: 'After a failed build whose cause was mended.',
    answers: MOVED,
    errors: CHANGE_ERRORS,
  })
  async requeue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, this.changing.requeue(pathOf(request).submissionId, revisionOf(request)));
  }

  @ReviewerRoute({
    ...CHANGE,
    method: 'post',
    path: `${SUBMISSION}/decisions`,
    id: 'decideReview',
    summary: "Decide, by a reviewer's signature",
    description:
      'EIP-712 `ReviewDecision` of the domain `Service Module Review`, version 1, chain 4663. The signature binds submission, revision, outcome, evidence, policy, reason and time.',
    body: { schema: sentDecisionSchema, maxBytes: DECISION_BYTES, mediaType: 'application/json', form: 'strict' },
    answers: MOVED,
    errors: [
      ...CHANGE_ERRORS,
      'REVIEW_POLICY_STALE',
      'REVIEWER_NOT_AUTHORIZED',
      'REVIEWER_IS_AUTHOR',
      'REVIEW_EVIDENCE_MISMATCH',
      'REVIEW_DECISION_EXPIRED',
      'REVIEW_SIGNATURE_INVALID',
    ],
  })
  async decide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const decision = readSchema(sentDecisionSchema, readStrictJson(bodyOf(request)));
    await this.answer(reply, this.changing.decide(pathOf(request).submissionId, revisionOf(request), decision));
  }

  @ReviewerRoute({
    ...CHANGE,
    method: 'post',
    path: `${SUBMISSION}/decision-draft`,
    id: 'draftDecision',
    summary: 'Create the sign-in message for a wallet for a decision',
    description:
      'Writes nothing. The evidence is that of the build that the review is at, the policy the one that it works by, the time now.',
    body: {
      schema: decisionDraftRequestSchema,
      maxBytes: DECISION_BYTES,
      mediaType: 'application/json',
      form: 'strict',
    },
    answers: { 200: { description: 'The decision without its signature.', schema: decisionDraftSchema } },
    errors: ['NOT_FOUND', 'REVISION_STALE', 'MODULE_REVIEW_UNAVAILABLE'],
  })
  async draft(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const said = readSchema(decisionDraftRequestSchema, readStrictJson(bodyOf(request)));
    sendPrivate(reply, await this.drafting.draft(pathOf(request).submissionId, revisionOf(request), said));
  }

  private async render(request: FastifyRequest, question: RenderQuestion): Promise<Uint8Array> {
    try {
      return await this.renderer.render(callerOf(request).lineageId, question);
    } catch (error) {
      if (error instanceof RenderingTooLarge) throw new ApiError('MODULE_REVIEW_UNAVAILABLE', { cause: error });
      throw error;
    }
  }

  private async answer(reply: FastifyReply, change: Promise<ReviewMoved>): Promise<void> {
    sendPrivate(reply, await change);
  }
}
