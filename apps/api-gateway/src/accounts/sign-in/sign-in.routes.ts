import { json, type RouteDoc, ANY, BODY, BYTES, NO_QUERY } from '../../discovery/openapi/route-docs.js';
import { signInKeySchema, signInNonceSchema, signInRequestSchema } from './sign-in.schema.js';

export const SIGN_IN_PATH = '/v4/auth/siwe';

/** Part of the description only where signing in is on. */
export const SIGN_IN_ROUTE_DOCS: readonly RouteDoc[] = [
  {
    method: 'post',
    path: `${SIGN_IN_PATH}/nonce`,
    operationId: 'inviteSignIn',
    tag: 'Keys',
    scopes: null,
    parameters: [],
    summary: 'What a wallet has to sign',
    description: 'The parts of an EIP-4361 message. The nonce is good once, for five minutes.',
    answers: [json(201, 'The parts.', 'SignInNonce')],
    errors: [...NO_QUERY, 'REQUEST_TOO_LARGE', ...ANY],
  },
  {
    method: 'post',
    path: `${SIGN_IN_PATH}/keys`,
    operationId: 'issueKeyBySignIn',
    tag: 'Keys',
    scopes: null,
    parameters: [],
    summary: 'A key for a wallet that signed',
    description:
      'The key is told in this answer only, is bound to the wallet, has both launch scopes and ends by itself. Signing in again ends the key before and continues its lineage: launches stay accessible.',
    requestSchema: 'SignInRequest',
    answers: [json(201, 'The key, once.', 'SignInKey')],
    errors: [
      ...NO_QUERY,
      ...BODY,
      ...BYTES,
      'SIGN_IN_MESSAGE_INVALID',
      'SIGN_IN_SIGNATURE_INVALID',
      'SIGN_IN_NONCE_INVALID',
      'SIGN_IN_REVOKED',
      ...ANY,
    ],
  },
];
export const SIGN_IN_BODIES = [signInKeySchema, signInNonceSchema, signInRequestSchema];
