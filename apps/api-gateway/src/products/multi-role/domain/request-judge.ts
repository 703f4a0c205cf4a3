import { Inject, Injectable } from '@nestjs/common';
import { finding, type Finding } from '@launch/contracts/errors';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { ContextService, type CurrentContext } from '../../../core/context/context.service.js';
import {
  LAUNCH_CHAIN,
  UNOBSERVED_CHAIN,
  type LaunchChain,
  type WindowClocks,
} from '../../../core/chain/launch-chain.js';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { ApiError, refusal } from '@launch/http';
import { judge, MULTI_ROLE_ARRIVAL } from '@launch/launch-rules';
import { CLOCK, FORM_READER, type Clock } from '../../../platform/tokens.js';
import type { FormReader } from '../../../platform/request-forms/form-reader.js';
import { LaunchRepository } from '../../../core/launches/launch.repository.js';
import { multiRoleForm, type MultiRoleForm } from './request-form.js';

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
    const { clocks, reserved, used } = await this.look(form, current);
    const seconds = this.secondsOf(clocks);
    const findings = [
      ...form.findings,
      ...judge(MULTI_ROLE_ARRIVAL, { context: acceptance(form, current), request: form, clocks: seconds }),
    ];
    const nonceInUse = reserved || used === true;
    if (findings.length > 0) return { form, bytes, digest, findings, nonceInUse, against: null };

    const against = this.contexts.ready();
    if (clocks.kind !== 'in-step') {
      throw new ApiError('SERVICE_UNAVAILABLE', {
        retryAfterSeconds: 5,
        cause: new Error(`windows cannot be judged: ${clocks.reason}`),
      });
    }
    if (!reserved && used === null) {
      throw new ApiError('SERVICE_UNAVAILABLE', {
        retryAfterSeconds: 2,
        cause: new Error('the observers do not agree on nonceUsed'),
      });
    }
    return { form, bytes, digest, findings, nonceInUse, against };
  }

  /** Returns the times by which the window may be refused; none while the server's own clock is in doubt. */
  private secondsOf(clocks: WindowClocks): readonly number[] {
    if (clocks.kind === 'in-step') return clocks.seconds;
    return clocks.kind === 'unusable' ? [Math.floor(this.clock.now() / 1_000)] : [];
  }

  /** Reads the facts about a request from the database and, while the context is confirmed, from the chain. */
  private async look({ launchWallet, nonce }: MultiRoleForm, current: CurrentContext | null) {
    const chain = this.contexts.describe().status === 'ready' ? this.chain : UNOBSERVED_CHAIN;
    const router = current === null ? null : routerOf(current);
    const [clocks, reserved, used] = await Promise.all([
      chain.clocks(),
      router === null ? false : this.launches.isNonceReserved(router, launchWallet, nonce),
      router === null ? null : chain.nonceUsed(router, launchWallet, BigInt(nonce)),
    ]);
    return { clocks, reserved, used };
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

export const nonceFinding = (form: MultiRoleForm): Finding =>
  finding('NONCE_IN_USE', '/nonce', {
    actual: form.nonce,
    detail: 'Choose a nonce this controller never used and no open request holds.',
  });
