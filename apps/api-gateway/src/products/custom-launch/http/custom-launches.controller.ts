import { Controller, Param, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  anyCustomLaunchRequestSchema,
  CUSTOM_LAUNCHES_PATH,
  customLaunchListSchema,
  customLaunchResourceSchema,
} from '@launch/contracts/custom-launch';
import { LIMITS } from '@launch/contracts/primitives';
import {
  bodyOf,
  Gate,
  idempotencyKeyOf,
  type ListQuery,
  listQuerySchema,
  markCreated,
  queryOf,
  sendPrivateJson,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { CustomLaunchRoute } from '../../../core/launches/custom-launch/custom-launch.route.js';
import { CreateLaunchService } from '../../../core/launches/create-launch.service.js';
import { CUSTOM_LAUNCH_EXAMPLE, CUSTOM_LAUNCH_LIST_EXAMPLE } from './custom-launches.examples.js';
import { ReadCustomLaunchService } from '../domain/read-custom-launch.service.js';
import { CustomLaunchCreation } from '../domain/custom-launch.creation.js';
import {
  CUSTOM_LAUNCH_FORM_ERRORS,
  CUSTOM_LAUNCH_REQUEST_ERRORS,
} from '../../../core/launches/custom-launch/custom-launch-errors.js';

const LAUNCH = { schema: customLaunchResourceSchema, example: CUSTOM_LAUNCH_EXAMPLE };

@Controller()
export class CustomLaunchesController implements OnModuleInit {
  constructor(
    private readonly creates: CreateLaunchService,
    private readonly creation: CustomLaunchCreation,
    private readonly reading: ReadCustomLaunchService,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('createCustomLaunch', (request) => this.creates.judgeHead(this.creation, request));
  }

  @CustomLaunchRoute({
    method: 'post',
    path: CUSTOM_LAUNCHES_PATH,
    id: 'createCustomLaunch',
    tag: 'Custom launches',
    scopes: ['custom-launch:create'],
    quota: 'submit',
    summary: 'Reserve a custom launch',
    description:
      'Strict JSON in any order of members; the bytes as sent are stored and hashed. Answers 202 as soon as the reservation is durable; neither status is wallet authorization. Repeating the same bytes under the same key answers 200 with the current resource, also while the gates are closed. Stored bytes count against the daily quota `storage` of the key, in KiB; an exact replay does not.',
    body: {
      schema: anyCustomLaunchRequestSchema,
      maxBytes: LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      202: { description: 'Reserved now.', ...LAUNCH, headers: { Location: 'The status route.' } },
      200: {
        description: 'An exact replay, whatever has become of the launch.',
        ...LAUNCH,
        headers: { Location: 'The status route.', 'Idempotency-Replayed': '`true`' },
      },
    },
    errors: [
      'IDEMPOTENCY_CONFLICT',
      'STORAGE_LOW',
      ...CUSTOM_LAUNCH_REQUEST_ERRORS,
      ...CUSTOM_LAUNCH_FORM_ERRORS,
      'NONCE_IN_USE',
    ],
  })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { replayed, resource } = await this.creates.create(
      this.creation,
      request,
      callerOf(request),
      idempotencyKeyOf(request),
      bodyOf(request),
    );
    markCreated(reply, { replayed, location: resource.links.statusUrl });
    sendPrivateJson(reply, resource);
  }

  @CustomLaunchRoute({
    method: 'get',
    path: CUSTOM_LAUNCHES_PATH,
    id: 'listCustomLaunches',
    tag: 'Custom launches',
    scopes: ['custom-launch:read'],
    quota: 'read',
    query: listQuerySchema(LIMITS.ownerListDefault),
    summary: "The owner's custom launches, newest first",
    description: "Only custom launches of the key's lineage and wallet.",
    answers: { 200: { description: 'A page.', schema: customLaunchListSchema, example: CUSTOM_LAUNCH_LIST_EXAMPLE } },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.reading.list(callerOf(request), queryOf<ListQuery>(request));
    sendPrivateJson(reply, page);
  }

  @CustomLaunchRoute({
    method: 'get',
    path: `${CUSTOM_LAUNCHES_PATH}/{launchId}`,
    id: 'getCustomLaunch',
    tag: 'Custom launches',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'One custom launch',
    description:
      'Its state with hand-off and failure; source verification, publication and finality are facts apart. Foreign and absent ids are the same 404.',
    answers: { 200: { description: 'The launch.', ...LAUNCH } },
    errors: ['NOT_FOUND'],
  })
  async read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    const resource = await this.reading.read(callerOf(request), launchId);
    sendPrivateJson(reply, resource);
  }
}
