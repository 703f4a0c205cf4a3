import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  commitContext,
  finalityGeneration,
  type ContextCommitments,
  type FinalityGeneration,
  type LaunchContext,
} from '@launch/contracts';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Logger } from '@launch/platform';
import type { LaunchChain } from '../chain/launch-chain.js';
import { ApiError } from '@launch/http';
import { CLOCK, CONFIGURED_CONTEXT, LAUNCH_CHAIN, LOGGER, REVIEWED_ROUTERS, type Clock } from '../../tokens.js';
import { ReleaseRepository } from './release.repository.js';
import { reviewReasons, type ReviewedRouter } from './router-review.js';

/** The one context this deployment serves, with its hashes. */
export interface CurrentContext {
  readonly document: LaunchContext;
  readonly canonicalText: string;
  readonly commitments: ContextCommitments;
  readonly generation: FinalityGeneration;
}

export interface ContextReadiness {
  readonly status: 'ready' | 'unavailable';
  readonly reasonCodes: readonly string[];
  readonly checkedAt: string;
}

const RECHECK_READY_MS = 30_000;
const RECHECK_UNAVAILABLE_MS = 2_000;

/**
 * The configured context, whether its router was reviewed for its policy, and whether the chain bears it out. Router and PoolManager code are read from both
 * observers at start and again and again; a difference makes the deployment unavailable, never another context.
 */
@Injectable()
export class ContextService implements OnApplicationShutdown {
  readonly current: CurrentContext | null;
  private readiness: ContextReadiness;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private kept = false;

  constructor(
    @Inject(CONFIGURED_CONTEXT) context: LaunchContext | null,
    @Inject(LAUNCH_CHAIN) private readonly chain: LaunchChain,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(REVIEWED_ROUTERS) private readonly reviewed: readonly ReviewedRouter[],
    @Inject(ReleaseRepository) private readonly releases: Pick<ReleaseRepository, 'keep'>,
  ) {
    this.current =
      context === null
        ? null
        : {
            document: context,
            canonicalText: canonicalJsonText(context),
            commitments: commitContext(context),
            generation: finalityGeneration(context),
          };
    this.readiness = this.reading(context === null ? ['CONTEXT_NOT_CONFIGURED'] : ['CONTEXT_NOT_CHECKED_YET']);
  }

  /** Checks now and keeps checking; resolves after the first look. */
  async start(): Promise<void> {
    if (this.current === null) return;
    await this.check();
    if (this.stopped) return;
    this.timer = setTimeout(
      () => void this.start(),
      this.readiness.status === 'ready' ? RECHECK_READY_MS : RECHECK_UNAVAILABLE_MS,
    );
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  describe(): ContextReadiness {
    return this.readiness;
  }

  /** The context new requests must carry. @throws ApiError `CONTEXT_UNAVAILABLE` */
  ready(): CurrentContext {
    if (this.current === null || this.readiness.status !== 'ready')
      throw new ApiError('CONTEXT_UNAVAILABLE', { retryAfterSeconds: 5 });
    return this.current;
  }

  private async check(): Promise<void> {
    if (this.current === null) return;
    if (typeof this.current.generation !== 'string') {
      // No launch under such a context could ever be finalized; it never passes for one without a marker.
      this.readiness = this.reading(['FINALITY_POLICY_UNKNOWN']);
      return;
    }
    const review = reviewReasons(this.current.document, this.reviewed);
    if (review.length > 0) {
      this.settle(review);
      return;
    }
    let reasons: readonly string[];
    try {
      reasons = await this.chain.readinessReasons(this.current.document);
    } catch (error) {
      this.logger.error({ err: error }, 'the context could not be checked');
      reasons = ['OBSERVERS_INDETERMINATE'];
    }
    // Providers that are away for a moment prove nothing against contracts that were seen to be right.
    const passing = reasons.length > 0 && reasons.every((reason) => reason === 'OBSERVERS_INDETERMINATE');
    if (passing && this.readiness.status === 'ready') return;
    this.settle(reasons);
    if (reasons.length === 0) await this.keep(this.current);
  }

  /** A release that was served is known for ever, whether or not anybody launched under it. */
  private async keep(current: CurrentContext): Promise<void> {
    if (this.kept) return;
    try {
      await this.releases.keep(current.commitments.contextHash, current.canonicalText);
      this.kept = true;
    } catch (error) {
      // The next look tries again, and a reservation keeps its context itself.
      this.logger.warn({ err: error }, 'the context could not be registered yet');
    }
  }

  private settle(reasons: readonly string[]): void {
    const next = this.reading(reasons);
    if (next.status !== this.readiness.status)
      this.logger.info({ status: next.status, reasonCodes: reasons }, 'context readiness');
    this.readiness = next;
  }

  private reading(reasonCodes: readonly string[]): ContextReadiness {
    return {
      status: reasonCodes.length === 0 ? 'ready' : 'unavailable',
      reasonCodes: reasonCodes.slice(0, 16),
      checkedAt: new Date(this.clock.now()).toISOString(),
    };
  }
}
