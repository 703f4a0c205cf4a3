import { Controller, Req, Res, type OnModuleInit } from '@nestjs/common';
import {
  PLAN_LIMITS,
  PLAN_PATHS,
  type PlanPreflight,
  planPreflightSchema,
  planRequestSchema,
} from '@launch/contracts/plans';
import { bodyOf, Gate, sendPrivateJson, whileAsked } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import {
  CustomLaunchPreflightService,
  type JudgedCustomLaunchPreflight,
} from '../../../core/launches/custom-launch/custom-launch-preflight.service.js';
import { CUSTOM_LAUNCH_REQUEST_ERRORS } from '../../../core/launches/custom-launch/custom-launch-errors.js';
import { planForm, type PlanForm } from '../domain/plan-form.js';
import { PlanRoute } from './plan.route.js';
import { PLAN_PREFLIGHT_EXAMPLE } from './plans.examples.js';
import { StorageIntake } from '../../../platform/storage/storage-intake.service.js';

@Controller()
export class PlanPreflightController implements OnModuleInit {
  constructor(
    private readonly preflights: CustomLaunchPreflightService,
    private readonly storage: StorageIntake,
    private readonly gate: Gate,
  ) {}

  onModuleInit(): void {
    this.gate.beforeBody('preflightPlan', async () => this.storage.ensureOpen());
  }

  @PlanRoute({
    method: 'post',
    path: PLAN_PATHS.preflight,
    id: 'preflightPlan',
    tag: 'Plans',
    scopes: ['custom-launch:create'],
    quota: 'preflight',
    summary: 'Preflight a plan',
    description:
      'Send the same bytes as for create. Every readable request returns 200 with all independent findings and the outcome of every check. The service does not rehearse the transactions (`TX_SIMULATION_PENDING`) and does not store the request.',
    body: {
      schema: planRequestSchema,
      maxBytes: PLAN_LIMITS.requestBytes,
      mediaType: 'application/json',
      form: 'strict',
    },
    answers: {
      200: {
        description: 'The findings and the outcome of every check.',
        schema: planPreflightSchema,
        example: PLAN_PREFLIGHT_EXAMPLE,
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
    const preflight = await this.preflights.evaluate(planForm, callerOf(request), bodyOf(request), whileAsked(reply));
    reply.code(200);
    sendPrivateJson(reply, planPreflight(preflight));
  }
}

const planPreflight = ({ shared, read: { form } }: JudgedCustomLaunchPreflight<PlanForm>): PlanPreflight => ({
  schemaVersion: 'service.custom-launch-preflight.v1',
  ...shared,
  planDigest: form.planDigest,
  findings: shared.launchEligibility.findings,
  steps: form.steps.map(({ stepId, ordinal, kind }) => ({ stepId, ordinal, kind })),
});
