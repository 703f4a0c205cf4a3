import { Controller, Param, Req, Res } from '@nestjs/common';
import type { ErrorCode } from '@launch/contracts/errors';
import {
  FINALITY_ROUTES,
  transactionHintReceiptSchema,
  transactionHintReceiptV3Schema,
  transactionHintSchema,
  transactionHintV3Schema,
} from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import { bodyOf, sendPrivateJson } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { MultiRoleRoute } from './multi-role.route.js';
import { HINT_EXAMPLE, HINT_RECEIPT_EXAMPLE } from './hints.examples.js';
import { HintService } from '../domain/hint.service.js';

const ERRORS: readonly ErrorCode[] = ['NOT_FOUND', 'HINT_NOT_READY', 'HINT_LIMIT_REACHED', 'HINT_VERSION_MISMATCH'];
const REGISTERED = {
  description: 'The hint is registered, by this request or an earlier one.',
  headers: { Location: 'The path that returns the finality of the launch.' },
};

@Controller()
export class HintsController {
  constructor(private readonly service: HintService) {}

  @MultiRoleRoute({
    method: 'post',
    path: FINALITY_ROUTES.v2.transactionHint.path,
    id: 'registerTransactionHint',
    tag: 'Launches',
    discovery: 'transactionHints',
    scopes: ['custom-launch:create', 'custom-launch:read'],
    quota: 'hint',
    summary: 'Submit a transaction hint',
    description:
      'A hint helps the service to find the transaction and has no other effect. A launch accepts at most 16 distinct hashes. 202 does not mean that the transaction is included or final.',
    body: {
      schema: transactionHintSchema,
      example: HINT_EXAMPLE,
      maxBytes: LIMITS.hintBytes,
      mediaType: 'application/json',
    },
    answers: { 202: { ...REGISTERED, schema: transactionHintReceiptSchema, example: HINT_RECEIPT_EXAMPLE } },
    errors: ERRORS,
  })
  async register(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v2');
  }

  @MultiRoleRoute({
    method: 'post',
    path: FINALITY_ROUTES.v3.transactionHint.path,
    id: 'registerTransactionHintV3',
    tag: 'Launches',
    scopes: ['custom-launch:create', 'custom-launch:read'],
    quota: 'hint',
    summary: 'Submit a transaction hint for a V3 launch',
    description:
      'For launches whose context has the V3 finality policy. A launch of another generation returns `HINT_VERSION_MISMATCH`.',
    body: { schema: transactionHintV3Schema, maxBytes: LIMITS.hintBytes, mediaType: 'application/json' },
    answers: { 202: { ...REGISTERED, schema: transactionHintReceiptV3Schema } },
    errors: ERRORS,
  })
  async registerV3(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v3');
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    launchId: string,
    generation: 'v2' | 'v3',
  ): Promise<void> {
    const receipt = await this.service.register(callerOf(request), launchId, bodyOf(request), generation);
    reply.code(202).header('location', receipt.statusUrl);
    sendPrivateJson(reply, receipt);
  }
}
