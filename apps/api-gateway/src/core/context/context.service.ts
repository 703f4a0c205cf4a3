import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext, type ContextCommitments } from '@launch/contracts/launch';
import { finalityGeneration, type FinalityGeneration, type LaunchContext } from '@launch/contracts/multi-role';
import type { Logger } from '@launch/platform';
import { LAUNCH_CHAIN, type LaunchChain } from '../chain/launch-chain.js';
import { ApiError } from '@launch/http';
import { CLOCK, LOGGER, type Clock } from '../../platform/tokens.js';
import { CONFIGURED_CONTEXT, REVIEWED_ROUTERS } from './context.tokens.js';
import { ContextWatch, type ContextReadiness } from './context-watch.js';
import { ReleaseRepository } from './release.repository.js';
import { reviewReasons, type ReviewedRouter } from './router-review.js';

export type { ContextReadiness } from './context-watch.js';

/** The one context this deployment serves, with its hashes. */
export interface CurrentContext {
  readonly document: LaunchContext;
  readonly canonicalText: string;
  readonly commitments: ContextCommitments;
  readonly generation: FinalityGeneration;
}

/**
 * The configured context, checked against the router reviews and the chain. Router and PoolManager code are read from both
 * observers at start and periodically. A difference makes the deployment unavailable; it never selects another context.
 */
@Injectable()
export class ContextService implements OnApplicationShutdown {
  readonly current: CurrentContext | null;
  private readonly watch: ContextWatch;

  constructor(
    @Inject(CONFIGURED_CONTEXT) context: LaunchContext | null,
    @Inject(LAUNCH_CHAIN) chain: LaunchChain,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Inject(REVIEWED_ROUTERS) reviewed: readonly ReviewedRouter[],
    @Inject(ReleaseRepository) releases: Pick<ReleaseRepository, 'keep'>,
  ) {
    const current =
      context === null
        ? null
        : {
            document: context,
            canonicalText: canonicalJsonText(context),
            commitments: commitContext(context),
            generation: finalityGeneration(context),
          };
    this.current = current;
    const watched = current && {
      contextHash: current.commitments.contextHash,
      canonicalText: current.canonicalText,
      reasons: async () => {
        // No launch under such a context could ever be finalized. It is never treated as a context without a marker.
        if (typeof current.generation !== 'string') return ['FINALITY_POLICY_UNKNOWN'];
        const review = reviewReasons(current.document, reviewed);
        return review.length > 0 ? review : chain.readinessReasons(current.document);
      },
    };
    this.watch = new ContextWatch(watched, { clock, logger, releases });
  }

  /** Checks now and keeps checking; resolves after the first check. */
  start(): Promise<void> {
    return this.watch.start();
  }

  onApplicationShutdown(): void {
    this.watch.stop();
  }

  describe(): ContextReadiness {
    return this.watch.describe();
  }

  /** Returns the context that new requests must carry. @throws ApiError `CONTEXT_UNAVAILABLE` */
  ready(): CurrentContext {
    if (this.current === null || this.describe().status !== 'ready')
      throw new ApiError('CONTEXT_UNAVAILABLE', { retryAfterSeconds: 5 });
    return this.current;
  }
}
