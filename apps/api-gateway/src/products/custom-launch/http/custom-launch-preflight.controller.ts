import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  anyCustomLaunchRequestSchema,
  CUSTOM_LAUNCHES_PATH,
  customLaunchPreflightSchema,
} from '@launch/contracts/custom-launch';
import { LIMITS } from '@launch/contracts/primitives';
import { bodyOf, Gate, sendPrivateJson, whileAsked } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { CustomLaunchRoute } from '../../../core/launches/custom-launch/custom-launch.route.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { seedCoverage } from '../../../core/gates/verifier-coverage.js';
import { customLaunchForm } from '../../../core/launches/custom-launch/custom-launch.form.js';
import { CustomLaunchPreflightService } from '../../../core/launches/custom-launch/custom-launch-preflight.service.js';
import { CUSTOM_LAUNCH_PREFLIGHT_EXAMPLE } from './custom-launches.examples.js';
import { CUSTOM_LAUNCH_REQUEST_ERRORS } from '../../../core/launches/custom-launch/custom-launch-errors.js';
import { customLaunchPreflight } from '../domain/custom-launch-preflight.js';
import { StorageIntake } from '../../../platform/storage/storage-intake.service.js';

@Controller()
export class CustomLaunchPreflightController implements OnModuleInit {
  constructor(
    private readonly preflights: CustomLaunchPreflightService,
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
    summary: 'Preflight a custom launch',
    description:
      'Send the same bytes as for create. Every readable request returns 200 with all independent findings and the outcome of every check. `deployable` does not authorize a launch. The service does not rehearse the transaction (`TX_SIMULATION_PENDING`) and does not store the request.',
    body: {
      schema: anyCustomLaunchRequestSchema,
      maxBytes: LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    answers: {
      200: {
        description: 'The findings and the outcome of every check.',
        schema: customLaunchPreflightSchema,
        example: CUSTOM_LAUNCH_PREFLIGHT_EXAMPLE,
      },
    },
    errors: [
      ...CUSTOM_LAUNCH_REQUEST_ERRORS,
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      'PREFLIGHT_PENDING',
      'STORAGE_LOW',
    ],
  })
  async preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const preflight = await this.preflights.evaluate(
      customLaunchForm,
      callerOf(request),
      bodyOf(request),
      whileAsked(reply),
    );
    const seedV1 = seedCoverage(await this.gates.read());
    reply.code(200);
    sendPrivateJson(reply, customLaunchPreflight(preflight, seedV1));
  }
}
