import { Controller, Param, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  createRequestSchema,
  launchListSchema,
  launchResourceSchema,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
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
import { MultiRoleRoute } from './multi-role.route.js';
import { REQUEST_MEANING_ERRORS } from './request-errors.js';
import { CreateLaunchService } from '../../../core/launches/create-launch.service.js';
import { OwnedRequestsService, REQUEST_READ, sendRequest } from '../../../core/launches/owned-requests.service.js';
import { LAUNCH_EXAMPLE, LAUNCH_LIST_EXAMPLE } from './launches.examples.js';
import { MultiRoleCreation } from '../domain/multi-role.creation.js';
import { ReadLaunchService } from '../domain/read-launch.service.js';

const LAUNCH = { schema: launchResourceSchema, example: LAUNCH_EXAMPLE };

@Controller()
export class LaunchesController implements OnModuleInit {
  constructor(
    private readonly creates: CreateLaunchService,
    private readonly creation: MultiRoleCreation,
    private readonly reading: ReadLaunchService,
    private readonly requests: OwnedRequestsService,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('createLaunch', (request) => this.creates.judgeHead(this.creation, request));
  }

  @MultiRoleRoute({
    method: 'post',
    path: MULTI_ROLE_BASE_PATH,
    id: 'createLaunch',
    tag: 'Launches',
    discovery: 'create',
    scopes: ['custom-launch:create'],
    quota: 'submit',
    summary: 'Create a launch',
    description:
      'Returns 202 as soon as the reservation is durable; admission continues in the background. Repeating the same bytes with the same idempotency key returns the stored launch, even if its permit window or context is no longer current. Stored bytes count against the daily `storage` quota of the key, in KiB; an exact replay does not.',
    body: { schema: createRequestSchema, maxBytes: LIMITS.requestBytes, mediaType: 'application/json' },
    idempotencyKey: 'required',
    answers: {
      202: {
        description: 'The launch was reserved.',
        ...LAUNCH,
        headers: { Location: 'The path that returns the status of the launch.' },
      },
      200: {
        description: 'An exact replay of a launch that is authorized or has ended.',
        ...LAUNCH,
        headers: { Location: 'The path that returns the status of the launch.', 'Idempotency-Replayed': '`true`' },
      },
    },
    errors: [
      'IDEMPOTENCY_CONFLICT',
      'STORAGE_LOW',
      ...REQUEST_MEANING_ERRORS,
      'MULTI_ROLE_ADMISSION_PENDING',
      'MULTI_ROLE_EVIDENCE_REQUIRED',
      'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
      'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
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
    markCreated(reply, { replayed, location: resource.statusUrl });
    sendPrivateJson(reply, resource);
  }

  @MultiRoleRoute({
    method: 'get',
    path: MULTI_ROLE_BASE_PATH,
    id: 'listLaunches',
    tag: 'Launches',
    discovery: 'list',
    scopes: ['custom-launch:read'],
    quota: 'read',
    query: listQuerySchema(LIMITS.ownerListDefault),
    summary: 'List your launches, newest first',
    description:
      "Returns only launches of the key's lineage and wallet, without their hand-offs: `handoffUrl` is the path that returns the hand-off.",
    answers: { 200: { description: 'A page of results.', schema: launchListSchema, example: LAUNCH_LIST_EXAMPLE } },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.reading.list(callerOf(request), queryOf<ListQuery>(request));
    sendPrivateJson(reply, page);
  }

  @MultiRoleRoute({
    method: 'get',
    path: `${MULTI_ROLE_BASE_PATH}/{launchId}`,
    id: 'getLaunch',
    tag: 'Launches',
    discovery: 'launch',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'One launch',
    description:
      'Returns the launch with its stored source assessment, wallet hand-off and finality. An absent id and the id of another owner return the same 404.',
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

  @MultiRoleRoute({
    ...REQUEST_READ,
    path: `${MULTI_ROLE_BASE_PATH}/{launchId}/request`,
    id: 'getLaunchRequest',
    tag: 'Launches',
    errors: ['NOT_FOUND'],
  })
  async request(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    sendRequest(reply, await this.requests.read('multi-role.v2', callerOf(request), launchId, 'NOT_FOUND'));
  }
}
