import { Inject, Injectable } from '@nestjs/common';
import { finding, keccak256Hex, sha256Digest, type CreateRequest, type Finding } from '@launch/contracts';
import { launchCommitments, type LaunchCommitments } from '@launch/evm';
import { ContextService, type CurrentContext } from '../capabilities/context.service.js';
import type { LaunchChain } from '../chain/launch-chain.js';
import type { Caller } from '../credentials/caller.js';
import { ApiError, refusal } from '../http/api.error.js';
import { LAUNCH_CHAIN } from '../tokens.js';
import { LaunchRepository } from './launch.repository.js';
import { meaningFindings } from './request-meaning.js';
import { readCreateRequest } from './request-reader.js';

/** A request that was read and judged as far as its form goes. */
export interface JudgedRequest {
  readonly request: CreateRequest;
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly current: CurrentContext;
  readonly router: string;
  /** Faults of form, all at once; not the nonce. */
  readonly findings: readonly Finding[];
  readonly nonceInUse: boolean;
}

/**
 * The checks before a reservation, in their order (decided as: bytes, schema, context, image, wallet, window,
 * nonce, sums); create and preflight share them, so that one never accepts what the other refuses.
 */
@Injectable()
export class RequestJudge {
  constructor(
    private readonly contexts: ContextService,
    private readonly launches: LaunchRepository,
    @Inject(LAUNCH_CHAIN) private readonly chain: LaunchChain,
  ) {}

  /**
   * @throws ApiError for bytes (400), schema (422), an unready context (503), another wallet's request (403),
   * clocks or providers that cannot be relied on (503).
   */
  async judge(bytes: Buffer, caller: Caller): Promise<JudgedRequest> {
    const request = readCreateRequest(bytes);
    const current = this.contexts.ready();
    if (request.launchWallet !== caller.controller) {
      throw refusal('WALLET_BINDING_MISMATCH', '/launchWallet', { expected: 'the wallet the API key is bound to' });
    }
    const clocks = await this.chain.clocks();
    if (clocks.kind === 'unusable') {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5, cause: new Error(`windows cannot be judged: ${clocks.reason}`) });
    }
    const router = current.document.chainDeployment.router.address;
    return {
      request,
      requestSha256: sha256Digest(bytes),
      requestHash: keccak256Hex(bytes),
      current,
      router,
      findings: meaningFindings(request, current, clocks.seconds),
      nonceInUse: await this.isNonceInUse(router, request),
    };
  }

  private async isNonceInUse(router: string, request: CreateRequest): Promise<boolean> {
    if (await this.launches.isNonceReserved(router, request.launchWallet, request.nonce)) return true;
    const used = await this.chain.nonceUsed(router, request.launchWallet, BigInt(request.nonce));
    if (used === null) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: new Error('the observers do not agree on nonceUsed') });
    return used;
  }
}

export const nonceFinding = (request: CreateRequest): Finding =>
  finding('NONCE_IN_USE', '/nonce', { actual: request.nonce, detail: 'Choose a nonce this controller never used and no open request holds.' });

/** Every hash of the launch that is known before anything is signed. */
export const commitmentsOf = (request: CreateRequest): LaunchCommitments => launchCommitments(request);
