import { Controller, Inject, Res } from '@nestjs/common';
import { canonicalizeJson } from '@launch/contracts/json';
import { ANSWER_KEYS_PATH, type AnswerKeySet, answerKeysSchema } from '@launch/contracts/index';
import { AnswerSigner, ApiError, sendCacheable, tagOf } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { Route } from '../../../core/routes/api.route.js';

const EXAMPLE: AnswerKeySet = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    },
  ],
};

@Controller()
export class AnswerKeysController {
  private readonly bytes: Uint8Array | null;

  constructor(@Inject(ANSWER_SIGNER) { keys }: AnswerSigner) {
    this.bytes = keys === null ? null : canonicalizeJson({ keys } as object);
  }

  @Route({
    method: 'get',
    path: ANSWER_KEYS_PATH,
    id: 'getAnswerKeys',
    tag: 'Discovery',
    scopes: null,
    quota: 'public',
    takesNoBody: true,
    entityTag: 'SHA-256 digest of the response body.',
    summary: 'Retrieve the public keys of signed responses',
    description:
      'Pages of the finalized feeds and the identity snapshot carry an Ed25519 signature (RFC 9421), so that a mirror can serve them. The `keyid` of a signature is a `kid` of this set. Returns 404 if the deployment does not sign responses.',
    answers: { 200: { description: 'A JSON Web Key Set.', schema: answerKeysSchema, example: EXAMPLE } },
    errors: ['NOT_FOUND'],
  })
  keys(@Res() reply: FastifyReply): void {
    if (this.bytes === null) throw new ApiError('NOT_FOUND');
    reply.header('vary', 'Accept');
    sendCacheable(reply, {
      etag: tagOf(this.bytes),
      cacheControl: 'public, max-age=300',
      body: this.bytes,
    });
  }
}
