import { Inject, Injectable } from '@nestjs/common';
import type { Finding } from '@launch/contracts/errors';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { ContextService, type CurrentContext } from '../../../core/context/context.service.js';
import { LAUNCH_CHAIN, UNOBSERVED_CHAIN, type LaunchChain } from '../../../core/chain/launch-chain.js';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { refusal } from '@launch/http';
import { judge, MULTI_ROLE_ARRIVAL } from '@launch/launch-rules';
import { CLOCK, FORM_READER, type Clock } from '../../../platform/tokens.js';
import type { FormReader } from '../../../platform/request-forms/form-reader.js';
import { ensureDecided, nonceStateOf, windowSeconds } from '../../../core/launches/arrival.js';
import { LaunchRepository } from '../../../core/launches/launch.repository.js';
import { multiRoleForm, type MultiRoleForm } from './request-form.js';

const CLOCKS_RETRY_AFTER_SECONDS = 5;

/** A request whose form was read and judged. */
export interface JudgedRequest {
  readonly form: MultiRoleForm;
  /** The bytes of the request that the judge was given. */
  readonly bytes: Uint8Array;
  readonly digest: Sha256Digest;
  /** All faults of form together, except the nonce. */
  readonly findings: readonly Finding[];
  readonly nonceInUse: boolean;
  /** The context that the request agrees with; null when there are findings. */
  readonly against: CurrentContext | null;
}

/**
 * Makes the checks before a reservation, in their order: bytes, schema, context, image, wallet, window, nonce, sums.
 * Create and preflight share them, so that one never accepts a request that the other refuses.
 */
@Injectable()
export class RequestJudge {
  constructor(
    private readonly contexts: ContextService,
    @Inject(LaunchRepository) private readonly launches: Pick<LaunchRepository, 'isNonceReserved'>,
    @Inject(LAUNCH_CHAIN) private readonly chain: LaunchChain,
    @Inject(FORM_READER) private readonly reader: FormReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Reports every fault of a request together, whether or not the chain can be reached. Only a request without a fault
   * waits for the chain.
   * @param body belongs to the judge from then on; `digest` identifies it.
   * @throws ApiError for bytes (400), schema (422) and another wallet's request (403). A request without a fault is
   * 503 while the context is not ready, or the clocks or providers are unreliable.
   */
  async judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<JudgedRequest> {
    const { form, bytes } = await this.reader.read(multiRoleForm, body, null);
    if (!caller.controllers.includes(form.launchWallet)) {
      throw refusal('WALLET_BINDING_MISMATCH', '/launchWallet', { expected: 'a wallet the API key is bound to' });
    }
    const { current } = this.contexts;
    const { clocks, nonce } = await this.look(form, current);
    const seconds = windowSeconds(clocks, this.clock.now());
    const findings = [
      ...form.findings,
      ...judge(MULTI_ROLE_ARRIVAL, { context: acceptance(form, current), request: form, clocks: seconds }),
    ];
    const nonceInUse = nonce === 'in-use';
    if (findings.length > 0) return { form, bytes, digest, findings, nonceInUse, against: null };

    const against = this.contexts.ready();
    ensureDecided(clocks, nonce, CLOCKS_RETRY_AFTER_SECONDS);
    return { form, bytes, digest, findings, nonceInUse, against };
  }

  /** Reads the facts about a request from the database and, while the context is confirmed, from the chain. */
  private async look(form: MultiRoleForm, current: CurrentContext | null) {
    const chain = this.contexts.describe().status === 'ready' ? this.chain : UNOBSERVED_CHAIN;
    const router = current === null ? null : routerOf(current);
    const [clocks, nonce] = await Promise.all([
      chain.clocks(),
      router === null ? ('unknown' as const) : nonceStateOf({ launches: this.launches, chain }, router, form),
    ]);
    return { clocks, nonce };
  }
}

/** A new request must contain the context that this deployment publishes, unchanged. */
function acceptance(form: MultiRoleForm, current: CurrentContext | null) {
  if (current === null) return null;
  const { contextHash } = current.commitments;
  return {
    hash: form.commitments.contextHash,
    holds: form.contextHashHolds,
    accepted: new Set([contextHash]),
    current: contextHash,
  };
}

export const routerOf = ({ document }: CurrentContext): Hex => document.chainDeployment.router.address;
