import { Controller, Inject, Res } from '@nestjs/common';
import { PLAN_OPERATIONS, PLAN_PATHS, planCapabilitiesSchema } from '@launch/contracts/plans';
import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../platform/configuration/limits.js';
import { OpenApiDocument } from '../../../platform/openapi/openapi.document.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { InitialBuyQuoteService } from '../../../core/initial-buy-quote/initial-buy-quote.service.js';
import { PlanRoute } from './plan.route.js';
import { LAUNCH_WORKERS, type LaunchWorkers } from '../../../core/launches/launch-workers.js';
import { LIMITS_CONFIG } from '../../../platform/tokens.js';
import { planCapabilities, WORKERS_OF_OPERATIONS, type PlanState } from '../domain/plan-capabilities.js';

@Controller()
export class PlanCapabilitiesController {
  constructor(
    private readonly gates: LaunchGatesService,
    private readonly quotes: InitialBuyQuoteService,
    private readonly openapi: OpenApiDocument,
    @Inject(LAUNCH_WORKERS) private readonly workers: LaunchWorkers,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
  ) {}

  @PlanRoute({
    method: 'get',
    path: PLAN_PATHS.capabilities,
    id: 'getPlanCapabilities',
    tag: 'Plans',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the capabilities of the plan transport',
    description:
      'Returns the availability of each operation, and the reasons if it is unavailable. The route ignores an Authorization header.',
    answers: {
      200: {
        description: 'The operations and their availability.',
        schema: planCapabilitiesSchema,
        example: planCapabilities({
          reading: {
            gates: { publicAuthorization: true, publicWrites: true, releaseReady: true },
            release: RELEASE_EXAMPLE,
            reasonCodes: [],
          },
          serves: () => true,
          hasPrice: true,
          workersAway: { preflight: [], create: [], list: [], get: [], stepProof: [] },
          compileBudgetSeconds: DEFAULT_LIMITS.compileBudgetSeconds,
        }),
      },
    },
  })
  async read(@Res() reply: FastifyReply): Promise<void> {
    const [reading, quote, workersAway] = await Promise.all([
      this.gates.read(),
      this.quotes.usable(),
      this.workersAway(),
    ]);
    const capabilities = planCapabilities({
      reading,
      serves: this.serves,
      hasPrice: quote !== null,
      workersAway,
      compileBudgetSeconds: this.limits.compileBudgetSeconds,
    });
    reply.header('cache-control', 'no-cache');
    sendJson(reply, capabilities);
  }

  private async workersAway(): Promise<PlanState['workersAway']> {
    const away = PLAN_OPERATIONS.map(
      async (name) => [name, await this.workers.away(WORKERS_OF_OPERATIONS[name])] as const,
    );
    return Object.fromEntries(await Promise.all(away)) as PlanState['workersAway'];
  }

  private readonly serves: PlanState['serves'] = (method, path) =>
    this.openapi.routes.some((route) => route.path === path && route.method === method.toLowerCase());
}
