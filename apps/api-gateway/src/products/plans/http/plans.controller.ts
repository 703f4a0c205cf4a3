import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  anyPlanListSchema,
  anyPlanResourceSchema,
  PLAN_LIMITS,
  PLAN_PATHS,
  planRequestSchema,
  stepProofSchema,
} from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import {
  bodyOf,
  boundedCursor,
  Gate,
  idempotencyKeyOf,
  type ListQuery,
  listQuerySchema,
  markCreated,
  queryOf,
  responseVersionOf,
  sendPrivateJson,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { CreateLaunchService } from '../../../core/launches/create-launch.service.js';
import {
  CUSTOM_LAUNCH_FORM_ERRORS,
  CUSTOM_LAUNCH_REQUEST_ERRORS,
} from '../../../core/launches/custom-launch/custom-launch-errors.js';
import { OwnedRequestsService, REQUEST_READ, sendRequest } from '../../../core/launches/owned-requests.service.js';
import { PlanRoute } from './plan.route.js';
import { PlanCreation } from '../domain/plan-creation.js';
import { PLAN_EXAMPLE, PLAN_LIST_EXAMPLE, STEP_PROOF_EXAMPLE } from './plans.examples.js';
import { ReadPlanService } from '../domain/read-plan.service.js';
import { StepProofService } from '../domain/step-proof.service.js';

const PLAN = { schema: anyPlanResourceSchema, example: PLAN_EXAMPLE };
/** The segments of a path. Nest's own decorator would put them before the chain in the description. */
const namesIn = <Name extends string>({ params }: FastifyRequest): Readonly<Record<Name, string>> =>
  params as Record<Name, string>;

const REPLAYED = { 'Idempotency-Replayed': '`true` if the request is an exact replay.' };

@Controller()
export class PlansController implements OnModuleInit {
  constructor(
    private readonly creates: CreateLaunchService,
    private readonly creation: PlanCreation,
    private readonly reading: ReadPlanService,
    private readonly proofs: StepProofService,
    private readonly requests: OwnedRequestsService,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('createPlan', (request) =>
      this.creates.judgeHead(this.creation.under(responseVersionOf<PlanResponseVersion>(request)), request),
    );
  }

  @PlanRoute({
    method: 'post',
    path: PLAN_PATHS.create,
    id: 'createPlan',
    tag: 'Plans',
    scopes: ['custom-launch:create'],
    quota: 'submit',
    summary: 'Create a plan',
    description:
      'Send strict JSON; members can have any order. The service stores and hashes the bytes as you sent them. It returns 202 as soon as the reservation and its `resumeUrl` are durable. Repeating the same bytes with the same idempotency key returns 200 with the current resource, even while the gates are closed. Stored bytes count against the daily `storage` quota of the key, in KiB; an exact replay does not.',
    body: {
      schema: planRequestSchema,
      maxBytes: PLAN_LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      202: { description: 'The plan was reserved.', ...PLAN, headers: { Location: 'The path of the plan.' } },
      200: {
        description: 'An exact replay. Returns the plan in its current state.',
        ...PLAN,
        headers: { Location: 'The path of the plan.', ...REPLAYED },
      },
    },
    errors: [
      'RESPONSE_VERSION_TOO_OLD',
      'IDEMPOTENCY_CONFLICT',
      'STORAGE_LOW',
      'PREDECESSOR_MISMATCH',
      ...CUSTOM_LAUNCH_REQUEST_ERRORS,
      ...CUSTOM_LAUNCH_FORM_ERRORS,
      'NONCE_IN_USE',
    ],
  })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const version = responseVersionOf<PlanResponseVersion>(request);
    const { replayed, resource: row } = await this.creates.create(
      this.creation.under(version),
      request,
      caller,
      idempotencyKeyOf(request),
      bodyOf(request),
    );
    const plan = await this.reading.find(caller, row.launchId);
    const shown = this.reading.show(plan, caller, version);
    markCreated(reply, { replayed, location: plan.resumeUrl });
    sendPrivateJson(reply, shown);
  }

  @PlanRoute({
    method: 'get',
    path: PLAN_PATHS.list,
    id: 'listPlans',
    tag: 'Plans',
    scopes: ['custom-launch:read'],
    quota: 'read',
    query: listQuerySchema(PLAN_LIMITS.listDefault, boundedCursor(PLAN_LIMITS.cursorCharacters)),
    summary: 'List your plans, newest first',
    description:
      "Returns only plans of the key's lineage and wallet, without authorizations: `handoffUrl` is the path that returns them. Versions 1.0 and 1.1 omit atomic plans and count them in a header. Use a cursor only with the version that issued it.",
    answers: {
      200: {
        description: 'A page of plans in the requested version.',
        schema: anyPlanListSchema,
        example: PLAN_LIST_EXAMPLE,
        headers: {
          'Service-Launch-Omitted': 'Number of atomic plans that this page omits. Sent in versions 1.0 and 1.1 only.',
        },
      },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const version = responseVersionOf<PlanResponseVersion>(request);
    const { list, omitted } = await this.reading.list(callerOf(request), queryOf<ListQuery>(request), version);
    if (omitted !== null) reply.header('service-launch-omitted', String(omitted));
    sendPrivateJson(reply, list);
  }

  @PlanRoute({
    method: 'get',
    path: PLAN_PATHS.get,
    id: 'getPlan',
    tag: 'Plans',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'Retrieve a plan with its steps',
    description:
      'An offered step contains the exact transaction that the wallet sends. An absent id, a malformed id and the id of another owner return the same error.',
    answers: { 200: { description: 'The plan in the requested version.', ...PLAN } },
    errors: ['PLAN_NOT_FOUND', 'RESPONSE_VERSION_TOO_OLD'],
  })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { planId } = namesIn<'planId'>(request);
    const plan = await this.reading.read(callerOf(request), planId, responseVersionOf<PlanResponseVersion>(request));
    sendPrivateJson(reply, plan);
  }

  @PlanRoute({
    ...REQUEST_READ,
    path: PLAN_PATHS.request,
    id: 'getPlanRequest',
    tag: 'Plans',
    errors: ['PLAN_NOT_FOUND'],
  })
  async request(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { planId } = namesIn<'planId'>(request);
    sendRequest(reply, await this.requests.read('plan.v1', callerOf(request), planId, 'PLAN_NOT_FOUND'));
  }

  @PlanRoute({
    method: 'post',
    path: PLAN_PATHS.stepProof,
    id: 'nameStepTransaction',
    tag: 'Plans',
    scopes: ['custom-launch:create'],
    quota: 'hint',
    summary: 'Submit the transaction of a step',
    description:
      'A proof helps the service to find the transaction and does not change the status of the step by itself. Proofs are optional. A step accepts at most 16 distinct hashes.',
    body: {
      schema: stepProofSchema,
      example: STEP_PROOF_EXAMPLE,
      maxBytes: PLAN_LIMITS.proofBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      202: { description: 'The hash is new to the step.', ...PLAN, headers: { Location: 'The path of the plan.' } },
      200: {
        description: 'The hash was already known, or the step has ended. Nothing changed.',
        ...PLAN,
        headers: { Location: 'The path of the plan.', ...REPLAYED },
      },
    },
    errors: [
      'PLAN_NOT_FOUND',
      'RESPONSE_VERSION_TOO_OLD',
      'IDEMPOTENCY_CONFLICT',
      'STORAGE_LOW',
      'STEP_NOT_READY',
      'PROOF_LIMIT_REACHED',
    ],
  })
  async prove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request);
    const version = responseVersionOf<PlanResponseVersion>(request);
    const { kind, plan } = await this.proofs.register(
      request,
      caller,
      namesIn<'planId' | 'stepId'>(request),
      idempotencyKeyOf(request),
      bodyOf(request),
      version,
    );
    reply.code(kind === 'registered' ? 202 : 200).header('location', plan.resumeUrl);
    if (kind === 'replayed') reply.header('idempotency-replayed', 'true');
    sendPrivateJson(reply, this.reading.show(plan, caller, version));
  }
}
