import { Controller, Param, Req, Res } from '@nestjs/common';
import {
  FINALITY_ROUTES,
  finalityEvidenceSchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import { markPrivate, sendCacheable, sendPrivateJson } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { MultiRoleRoute } from './multi-role.route.js';
import { FINALITY_EXAMPLE } from './finality.example.js';
import { FinalityService } from '../domain/finality.service.js';

@Controller()
export class FinalityController {
  constructor(private readonly service: FinalityService) {}

  @MultiRoleRoute({
    method: 'get',
    path: FINALITY_ROUTES.v2.finality.path,
    id: 'getFinality',
    tag: 'Launches',
    discovery: 'finality',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'Retrieve the finality of a launch',
    description:
      'The state is `pending`, `included` or `ethereum_finalized`; the posting appears as evidence in `included`. `estimatedNextStageAt` is always later than the response. `basis` is `rolling-p90` or `configured-expectation`, or `overdue` if there is no estimate.',
    answers: {
      200: { description: 'The finality of the launch.', schema: finalityStatusSchema, example: FINALITY_EXAMPLE },
    },
    errors: ['NOT_FOUND'],
  })
  async read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v2');
  }

  @MultiRoleRoute({
    method: 'get',
    path: FINALITY_ROUTES.v3.finality.path,
    id: 'getFinalityV3',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'Retrieve the finality of a V3 launch',
    description:
      'Returns the same fields as V2 and a proof item for each derived contract. A launch of another generation returns 404.',
    answers: { 200: { description: 'The finality of the launch.', schema: finalityStatusV3Schema } },
    errors: ['NOT_FOUND'],
  })
  async readV3(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v3');
  }

  @MultiRoleRoute({
    method: 'get',
    path: `${MULTI_ROLE_BASE_PATH}/{launchId}/finality/evidence`,
    id: 'getFinalityEvidence',
    tag: 'Launches',
    scopes: ['custom-launch:read'],
    quota: 'read',
    summary: 'Retrieve the finality evidence of a launch',
    description:
      'Returns the responses of both observers of both chains, and the proofs that can be verified without an observer. The bytes never change and are addressed by their SHA-256. `launch-verify evidence` checks them offline. Returns 404 before the launch is finalized.',
    entityTag: 'SHA-256 digest of the response body.',
    answers: { 200: { description: 'The evidence bundle.', schema: finalityEvidenceSchema } },
    errors: ['NOT_FOUND'],
  })
  async evidence(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    const { bytes, sha256 } = await this.service.evidence(callerOf(request), launchId);
    markPrivate(reply);
    sendCacheable(reply, {
      etag: sha256,
      cacheControl: 'private, no-store',
      body: bytes,
    });
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    launchId: string,
    generation: 'v2' | 'v3',
  ): Promise<void> {
    const status = await this.service.read(callerOf(request), launchId, generation);
    sendPrivateJson(reply, status);
  }
}
