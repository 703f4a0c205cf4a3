import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import { createRequestSchema, MULTI_ROLE_BASE_PATH, preflightResultSchema } from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import { bodyOf, Gate, sendPrivateJson, whileAsked } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { MultiRoleRoute } from './multi-role.route.js';
import { REQUEST_MEANING_ERRORS } from './request-errors.js';
import { PREFLIGHT_EXAMPLE } from './preflight.example.js';
import { PreflightService } from '../domain/preflight.service.js';
import { StorageIntake } from '../../../platform/storage/storage-intake.service.js';

@Controller()
export class PreflightController implements OnModuleInit {
  constructor(
    private readonly service: PreflightService,
    private readonly storage: StorageIntake,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('preflight', async () => this.storage.ensureOpen());
  }

  @MultiRoleRoute({
    method: 'post',
    path: `${MULTI_ROLE_BASE_PATH}/preflight`,
    id: 'preflight',
    tag: 'Launches',
    discovery: 'preflight',
    scopes: ['custom-launch:create'],
    quota: 'preflight',
    summary: 'Preflight a launch',
    description:
      'Send the same bytes as for create. A malformed request returns an error; the verdict on source, opcodes, bindings and economics returns 200 with `source.disposition`. A supported launch that would revert on the current chain has the finding `SIMULATION_REVERTED` with severity `warning`. The service does not reserve, sign or store anything.',
    body: { schema: createRequestSchema, maxBytes: LIMITS.requestBytes, mediaType: 'application/json' },
    answers: {
      200: { description: 'The source evaluation.', schema: preflightResultSchema, example: PREFLIGHT_EXAMPLE },
    },
    errors: [...REQUEST_MEANING_ERRORS, 'PREFLIGHT_PENDING', 'STORAGE_LOW'],
  })
  async preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const result = await this.service.evaluate(callerOf(request), bodyOf(request), whileAsked(reply));
    reply.code(200);
    sendPrivateJson(reply, result);
  }
}
