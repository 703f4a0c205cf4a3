import { Inject, Injectable } from '@nestjs/common';
import { finding, type Finding } from '@launch/contracts';
import { ContextService, type CurrentContext } from '../capabilities/context.service.js';
import type { LaunchChain } from '../chain/launch-chain.js';
import type { Caller } from '../credentials/caller.js';
import { ApiError, refusal } from '../http/api.error.js';
import { FORM_READER, LAUNCH_CHAIN } from '../tokens.js';
import type { FormReader } from './form-reader.js';
import { LaunchRepository } from './launch.repository.js';
import type { RequestForm } from './request-form.js';
import { contextFindings, windowFindings } from './request-meaning.js';

/** A request that was read and judged as far as its form goes. */
export interface JudgedRequest {
  readonly form: RequestForm;
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
    @Inject(FORM_READER) private readonly reader: FormReader,
  ) {}

  /**
   * @throws ApiError for bytes (400), schema (422), an unready context (503), another wallet's request (403),
   * clocks or providers that cannot be relied on (503).
   */
  async judge(bytes: Buffer, caller: Caller): Promise<JudgedRequest> {
    const form = await this.reader.read(bytes);
    const current = this.contexts.ready();
    if (!caller.controllers.includes(form.launchWallet)) {
      throw refusal('WALLET_BINDING_MISMATCH', '/launchWallet', { expected: 'a wallet the API key is bound to' });
    }
    const router = current.document.chainDeployment.router.address;
    const [clocks, reserved, used] = await Promise.all([
      this.chain.clocks(),
      this.launches.isNonceReserved(router, form.launchWallet, form.nonce),
      this.chain.nonceUsed(router, form.launchWallet, BigInt(form.nonce)),
    ]);
    if (clocks.kind === 'unusable') {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5, cause: new Error(`windows cannot be judged: ${clocks.reason}`) });
    }
    if (!reserved && used === null) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: new Error('the observers do not agree on nonceUsed') });
    }
    return {
      form,
      current,
      router,
      findings: [...form.findings, ...contextFindings(form, current), ...windowFindings(form.permitWindow, clocks.seconds)],
      nonceInUse: reserved || used === true,
    };
  }
}

export const nonceFinding = (form: RequestForm): Finding =>
  finding('NONCE_IN_USE', '/nonce', { actual: form.nonce, detail: 'Choose a nonce this controller never used and no open request holds.' });
