import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { finding } from '@launch/contracts/errors';
import { lowerHex, readWalletSignature, recoverWalletSigner, SUPPORTED_SIGNATURES } from '@launch/evm';
import { hashMessage } from 'viem/utils';
import { SCOPES_BY_PURPOSE, type KeyPurpose } from '../../routes/scopes.js';
import { CredentialService } from '../credentials/credential.service.js';
import { ApiError, RateLimitService, readCanonicalJson, readSchema, refusal } from '@launch/http';
import type { FastifyRequest } from 'fastify';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { SIGN_IN } from '../accounts.tokens.js';
import { NonceRepository } from './nonce.repository.js';
import { parseSignInMessage } from './sign-in-message.js';
import { SIGN_IN_SECONDS, SIGN_IN_STATEMENTS, signInFaults, type SignInConfig } from './sign-in.judge.js';
import { signInRequestSchema, type SignInKey, type SignInNonce } from './sign-in.schema.js';

/** Issues keys to clients that prove to hold a wallet by a signed EIP-4361 message. Supports only accounts with a private key. */
@Injectable()
export class SignInService {
  constructor(
    private readonly nonces: NonceRepository,
    private readonly credentials: CredentialService,
    private readonly rateLimits: RateLimitService,
    @Inject(SIGN_IN) private readonly config: SignInConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the parts of the next message. Its nonce is valid once and for five minutes. */
  async invite(purpose: KeyPurpose = 'launches'): Promise<SignInNonce> {
    const nonce = randomBytes(16).toString('hex');
    const now = this.clock.now();
    const expiresAt = new Date(now + SIGN_IN_SECONDS * 1_000);
    await this.nonces.keep(nonce, expiresAt, new Date(now));
    return {
      schemaVersion: 'service.sign-in-nonce.v1',
      nonce,
      domain: new URL(this.config.origin).host,
      uri: this.config.origin,
      version: '1',
      chainId: '4663',
      statement: SIGN_IN_STATEMENTS[purpose],
      issuedAt: new Date(now).toISOString(),
      expirationTime: expiresAt.toISOString(),
    };
  }

  /**
   * Issues a key for a message of this service that the wallet signed with an unused nonce.
   * @throws ApiError `SIGN_IN_MESSAGE_INVALID` with every part that is wrong, `SIGN_IN_SIGNATURE_INVALID`,
   * `SIGN_IN_NONCE_INVALID`, `SIGN_IN_REVOKED`; `RATE_LIMITED` for a wallet or an address that got its daily keys.
   */
  async signIn(http: FastifyRequest, bytes: Uint8Array): Promise<SignInKey> {
    const request = readSchema(signInRequestSchema, readCanonicalJson(bytes));
    const message = parseSignInMessage(request.message);
    const now = this.clock.now();
    const purpose = request.purpose ?? 'launches';
    const faults = message === null ? ['message'] : signInFaults(message, this.config, purpose, now);
    if (message === null || faults.length > 0) {
      throw new ApiError('SIGN_IN_MESSAGE_INVALID', {
        findings: faults.map((part) => finding('SIGN_IN_MESSAGE_INVALID', '/message', { expected: `another ${part}` })),
      });
    }
    const controller = lowerHex(message.address);
    mustBeSignedBy(controller, request.message, request.signature);
    // Only after the signature, so that no client can spend a nonce by naming it.
    if (!(await this.nonces.use(message.nonce, new Date(now)))) throw new ApiError('SIGN_IN_NONCE_INVALID');
    const expiresAt = new Date(now + this.config.keySeconds * 1_000);
    // Counted only for the holder of the wallet: no stranger uses up its keys.
    await this.rateLimits.chargeUnits(http, controller, 'sign-in-wallet', 1);
    await this.rateLimits.chargeAddress(http, 'sign-in-address');
    const issued = await this.credentials.issueForSignIn(controller, expiresAt, purpose);
    return {
      schemaVersion: 'service.sign-in-key.v1',
      ...issued,
      boundController: controller,
      scopes: [...SCOPES_BY_PURPOSE[purpose]],
      chainGrants: ['4663'],
      expiresAt: expiresAt.toISOString(),
    };
  }
}

/** @throws ApiError `SIGN_IN_SIGNATURE_INVALID`, which names an encoding that is not supported. */
function mustBeSignedBy(controller: string, text: string, signature: string): void {
  const read = readWalletSignature(signature);
  if (read.kind === 'unsupported')
    throw refusal('SIGN_IN_SIGNATURE_INVALID', '/signature', { expected: SUPPORTED_SIGNATURES, actual: read.encoding });
  if (recoverWalletSigner(hashMessage(text), read.signature) !== controller)
    throw new ApiError('SIGN_IN_SIGNATURE_INVALID');
}
