import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  anyCustomLaunchRequestSchema,
  CUSTOM_LAUNCHES_PATH,
  customLaunchPreflightSchema,
  LIMITS,
} from '@launch/contracts';
import { bodyOf, Gate, markPrivate, sendJson, whileAsked } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../accounts/credentials/request-caller.js';
import { CustomLaunchRoute } from '../custom-launch-routes.js';
import { LaunchGatesService } from '../launch-gates/launch-gates.service.js';
import { seedCoverage } from '../reports/launch-reports.js';
import { CustomPreflightService } from './custom-preflight.service.js';
import { V4_PREFLIGHT_EXAMPLE } from './launches-v4.examples.js';
import { V4_REQUEST_ERRORS } from './v4-errors.js';
import { v4Preflight } from './v4-preflight.js';
import { StorageIntake } from '../storage/storage-intake.service.js';

@Controller()
export class V4PreflightController implements OnModuleInit {
  constructor(
    private readonly preflights: CustomPreflightService,
    private readonly gates: LaunchGatesService,
    private readonly storage: StorageIntake,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('preflightCustomLaunch', async () => this.storage.ensureOpen());
  }

  @CustomLaunchRoute({
    method: 'post',
    path: `${CUSTOM_LAUNCHES_PATH}/preflight`,
    id: 'preflightCustomLaunch',
    tag: 'Custom launches',
    scopes: ['custom-launch:create'],
    quota: 'preflight',
    summary: 'Classify a V4 request without reserving anything',
    description:
      'The same bytes as create. Everything that can be read is 200 with all independent findings, and says of every check what became of it. `deployable` is no authorization, and nothing is rehearsed: `TX_SIMULATION_PENDING`. Nothing is kept.',
    body: {
      schema: anyCustomLaunchRequestSchema,
      maxBytes: LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    answers: {
      200: { description: 'The classification.', schema: customLaunchPreflightSchema, example: V4_PREFLIGHT_EXAMPLE },
    },
    errors: [...V4_REQUEST_ERRORS, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED', 'PREFLIGHT_PENDING', 'STORAGE_LOW'],
  })
  async preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const family = 'custom-launch.v4';
    const preflight = await this.preflights.evaluate(family, callerOf(request), bodyOf(request), whileAsked(reply));
    const seedV1 = seedCoverage(await this.gates.read());
    reply.code(200);
    markPrivate(reply);
    sendJson(reply, v4Preflight(preflight, seedV1));
  }
}
