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
    summary: 'Reserve a launch',
    description:
      'Answers 202 as soon as the reservation is durable; admission goes on by itself. Repeating the same bytes under the same key answers from the record, whatever has become of its window or context. Stored bytes count against the daily quota `storage` of the key, in KiB; an exact replay does not.',
    body: { schema: createRequestSchema, maxBytes: LIMITS.requestBytes, mediaType: 'application/json' },
    idempotencyKey: 'required',
    answers: {
      202: { description: 'Reserved now.', ...LAUNCH, headers: { Location: 'The status route.' } },
      200: {
        description: 'An exact replay of an authorized or ended launch.',
        ...LAUNCH,
        headers: { Location: 'The status route.', 'Idempotency-Replayed': '`true`' },
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
    summary: "The owner's launches, newest first",
    description: "Only launches of the key's lineage and wallet.",
    answers: { 200: { description: 'A page.', schema: launchListSchema, example: LAUNCH_LIST_EXAMPLE } },
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
      'The resource with its stored source assessment, wallet hand-off and finality. Foreign and absent ids are the same 404.',
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
