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
const LOCATION = { Location: 'The receipt.' };

const listQuery = z.strictObject({
  cursor: z.string().optional().meta({ description: '`nextCursor` of the page before: a submission id of yours.' }),
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
      'Strict JSON in any order of members; the bytes as sent are stored and hashed. Nothing of it is run, unpacked or fetched. 201 answers once the draft is durable. The same bytes under the same key answer 200 with the same receipt for ever, also while no drafts are taken. Stored bytes count against the daily quota `storage` of the key, in KiB; an exact replay does not.',
    body: {
      schema: moduleSubmissionSchema,
      maxBytes: MODULE_LIMITS.maxRequestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      201: { description: 'A new draft.', ...RECEIPT, headers: LOCATION },
      200: {
        description: 'An exact replay: the receipt of 201, byte for byte.',
        ...RECEIPT,
        headers: { ...LOCATION, 'Idempotency-Replayed': '`true` of an exact replay.' },
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
    summary: "The author's receipts, newest first",
    description: `At most ${MODULE_LIMITS.listMax} a page.`,
    answers: { 200: { description: 'A page.', schema: moduleSubmissionListSchema, example: SUBMISSION_LIST_EXAMPLE } },
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
    summary: 'The receipt of a draft',
    description:
      'History: it says `draft_received` whatever the review comes to. Absent and foreign ids are one error.',
    answers: { 200: { description: 'The receipt of 201, byte for byte.', ...RECEIPT } },
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
    summary: 'How the review of a draft stands',
    answers: {
      200: { description: 'The status now.', schema: moduleReviewStatusSchema, example: REVIEW_STATUS_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'MODULE_REVIEW_UNAVAILABLE', 'MODULE_REVIEW_JOB_UNAVAILABLE'],
  })
  async review(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPrivate(reply, await this.reading.review(callerOf(request), idIn(request)));
  }
}
