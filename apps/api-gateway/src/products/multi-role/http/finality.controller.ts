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
    summary: 'The protected finality projection',
    description:
      '`pending`, `included` or `ethereum_finalized`; posting is evidence inside `included`. `estimatedNextStageAt` is later than the response; `basis` is `rolling-p90`, `configured-expectation`, or `overdue` without a time.',
    answers: { 200: { description: 'The projection.', schema: finalityStatusSchema, example: FINALITY_EXAMPLE } },
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
    summary: 'The protected finality projection of a V3 launch',
    description: 'As V2, with a proof item for each derived contract. A launch of the other generation is 404 here.',
    answers: { 200: { description: 'The projection.', schema: finalityStatusV3Schema } },
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
    summary: "The owner's evidence of finality",
    description:
      'The answers of both observers of both chains, and the proofs that need none of them. The bytes never change, are addressed by their SHA-256, and `launch-verify evidence` checks them offline. 404 before the launch is finalized.',
    entityTag: 'SHA-256 of the bytes.',
    answers: { 200: { description: 'The bundle.', schema: finalityEvidenceSchema } },
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
