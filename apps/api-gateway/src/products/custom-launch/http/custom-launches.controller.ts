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
import { OwnedRequestsService, REQUEST_READ, sendRequest } from '../../../core/launches/owned-requests.service.js';
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
    private readonly requests: OwnedRequestsService,
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
    summary: 'Create a custom launch',
    description:
      'Send strict JSON; members can have any order. The service stores and hashes the bytes as you sent them. It returns 202 as soon as the reservation is durable. Repeating the same bytes with the same idempotency key returns 200 with the current resource, even while the gates are closed. Neither status authorizes the wallet to send a transaction. Stored bytes count against the daily `storage` quota of the key, in KiB; an exact replay does not.',
    body: {
      schema: anyCustomLaunchRequestSchema,
      maxBytes: LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    idempotencyKey: 'required',
    answers: {
      202: {
        description: 'The launch was reserved.',
        ...LAUNCH,
        headers: { Location: 'The path that returns the status of the launch.' },
      },
      200: {
        description: 'An exact replay. Returns the launch in its current state.',
        ...LAUNCH,
        headers: { Location: 'The path that returns the status of the launch.', 'Idempotency-Replayed': '`true`' },
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
    summary: 'List your custom launches, newest first',
    description:
      "Returns only custom launches of the key's lineage and wallet, without their hand-offs: `handoffUrl` is the path that returns the hand-off.",
    answers: {
      200: { description: 'A page of results.', schema: customLaunchListSchema, example: CUSTOM_LAUNCH_LIST_EXAMPLE },
    },
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
    summary: 'Retrieve a custom launch',
    description:
      'Returns the state of the launch with its hand-off or failure. Source verification, publication and finality are reported separately. An absent id and the id of another owner return the same 404.',
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

  @CustomLaunchRoute({
    ...REQUEST_READ,
    path: `${CUSTOM_LAUNCHES_PATH}/{launchId}/request`,
    id: 'getCustomLaunchRequest',
    tag: 'Custom launches',
    errors: ['NOT_FOUND'],
  })
  async request(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    sendRequest(reply, await this.requests.read('custom-launch.v4', callerOf(request), launchId, 'NOT_FOUND'));
  }
}
