import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  MODULE_LIMITS,
  moduleReceiptSchema,
  moduleReviewStatusSchema,
  moduleSubmissionListSchema,
  moduleSubmissionSchema,
} from '@launch/contracts/modules';
import {
  bodyOf,
  Gate,
  idempotencyKeyOf,
  markCreated,
  markPrivate,
  queryOf,
  sendJsonBytes,
  sendPrivateJson,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { ModuleRoute } from '../../../core/module-submissions/module.route.js';
import { SUBMISSIONS_PATH, submissionUrl } from '../domain/module-intake.js';
import { RECEIPT_EXAMPLE, REVIEW_STATUS_EXAMPLE, SUBMISSION_LIST_EXAMPLE } from './submissions.examples.js';
import { ReadSubmissionsService } from '../domain/read-submissions.service.js';
import { SubmitModuleService } from '../domain/submit-module.service.js';

const SUBMIT = 'submitModule';
const RECEIPT = { schema: moduleReceiptSchema, example: RECEIPT_EXAMPLE };
const LOCATION = { Location: 'The path of the receipt.' };

const listQuery = z.strictObject({
  cursor: z
    .string()
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page: the id of one of your submissions.' }),
});
type ModuleListQuery = z.output<typeof listQuery>;

const idIn = ({ params }: FastifyRequest): string => (params as { readonly submissionId: string }).submissionId;

function sendPrivate(reply: FastifyReply, bytes: Uint8Array): void {
  markPrivate(reply);
  sendJsonBytes(reply, bytes);
}

@Controller()
export class SubmissionsController implements OnModuleInit {
  constructor(
    private readonly submitting: SubmitModuleService,
    private readonly reading: ReadSubmissionsService,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody(SUBMIT, (request) => this.submitting.judgeHead(request));
  }

  @ModuleRoute({
    method: 'post',
    path: SUBMISSIONS_PATH,
    id: SUBMIT,
    tag: 'Modules',
    scopes: ['modules:submit', 'modules:read'],
    quota: 'module-submit',
    summary: 'Submit a module draft',
    description:
      'Send strict JSON; members can have any order. The service stores and hashes the bytes as you sent them, and does not run, unpack or fetch any part of them. It returns 201 as soon as the draft is durable. Repeating the same bytes with the same idempotency key always returns 200 with the same receipt, even while the service accepts no new drafts. Stored bytes count against the daily `storage` quota of the key, in KiB; an exact replay does not.',
    body: {
      schema: moduleSubmissionSchema,
      maxBytes: MODULE_LIMITS.maxRequestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      201: { description: 'The service stored a new draft.', ...RECEIPT, headers: LOCATION },
      200: {
        description: 'An exact replay. Returns the original receipt, byte for byte.',
        ...RECEIPT,
        headers: { ...LOCATION, 'Idempotency-Replayed': '`true` if the request is an exact replay.' },
      },
    },
    errors: [
      'MODULE_SUBMISSIONS_UNAVAILABLE',
      'STORAGE_LOW',
      'MODULE_AUTHOR_MISMATCH',
      'OPEN_ADDRESS',
      'OPEN_SOURCE_HASH',
      'MODULE_FILE_HASH',
      'MODULE_PATH_INVALID',
      'MODULE_LIMIT_EXCEEDED',
      'MODULE_IDEMPOTENCY_CONFLICT',
      'MODULE_PACKAGE_CONFLICT',
      'MODULE_VERSION_ALREADY_SUBMITTED',
      'MODULE_REVISION_LINEAGE_INVALID',
    ],
  })
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { replayed, submissionId, receipt } = await this.submitting.submit(
      request,
      callerOf(request),
      idempotencyKeyOf(request),
      bodyOf(request),
    );
    markCreated(reply, { replayed, location: submissionUrl(submissionId) }, 201);
    sendPrivate(reply, Buffer.from(receipt));
  }

  @ModuleRoute({
    method: 'get',
    path: SUBMISSIONS_PATH,
    id: 'listModuleSubmissions',
    tag: 'Modules',
    scopes: ['modules:read'],
    quota: 'read',
    query: listQuery,
    summary: 'List your receipts, newest first',
    description: `Returns at most ${MODULE_LIMITS.listMax} receipts on a page.`,
    answers: {
      200: { description: 'A page of results.', schema: moduleSubmissionListSchema, example: SUBMISSION_LIST_EXAMPLE },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { cursor } = queryOf<ModuleListQuery>(request);
    const page = await this.reading.list(callerOf(request), cursor);
    sendPrivateJson(reply, page);
  }

  @ModuleRoute({
    method: 'get',
    path: `${SUBMISSIONS_PATH}/{submissionId}`,
    id: 'getModuleSubmission',
    tag: 'Modules',
    scopes: ['modules:read'],
    quota: 'read',
    summary: 'Retrieve the receipt of a draft',
    description:
      'The receipt is a permanent record of the submission: its status is always `draft_received`, independent of the review. An absent id and the id of another author return the same error.',
    answers: { 200: { description: 'The original receipt, byte for byte.', ...RECEIPT } },
    errors: ['NOT_FOUND'],
  })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPrivate(reply, await this.reading.receipt(callerOf(request), idIn(request)));
  }

  @ModuleRoute({
    method: 'get',
    path: `${SUBMISSIONS_PATH}/{submissionId}/review`,
    id: 'getModuleReview',
    tag: 'Modules',
    scopes: ['modules:read'],
    quota: 'read',
    summary: 'Retrieve the review status of a draft',
    answers: {
      200: { description: 'The current status.', schema: moduleReviewStatusSchema, example: REVIEW_STATUS_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE', 'MODULE_REVIEW_JOB_UNAVAILABLE'],
  })
  async review(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPrivate(reply, await this.reading.review(callerOf(request), idIn(request)));
  }
}
