import { Inject, Injectable } from '@nestjs/common';
import { canonicalJsonText } from '@launch/contracts/json';
import { canonicalKeccak, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import type { Logger } from '@launch/platform';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../gates/custom-launch-release.js';
import { LAUNCH_CHAIN, type LaunchChain } from '../chain/launch-chain.js';
import { CLOCK, LOGGER, type Clock } from '../../platform/tokens.js';
import { initialBuyQuote } from './initial-buy-quote.js';
import { QuoteRepository } from './quote.repository.js';

/** Milliseconds between two readings of the price over all gateways. */
const QUOTE_EVERY_MS = 10_000;
/** Milliseconds for which a quote is served, so that a reader that died leaves no stale quote. */
const QUOTE_SERVED_MS = 30_000;
/** Milliseconds between two queries of one gateway to the database. */
const KEPT_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;

export interface WrittenQuote {
  readonly bytes: Uint8Array;
  readonly contentSha256: Sha256Digest;
}

/** Serves the initial-buy quote: advice, which one gateway reads for all of them. */
@Injectable()
export class InitialBuyQuoteService {
  private last: { readonly askedAt: number; readonly quote: Promise<WrittenQuote | null> } | undefined;

  constructor(
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly release: Pick<CustomLaunchRelease, 'context'>,
    @Inject(LAUNCH_CHAIN) private readonly chain: Pick<LaunchChain, 'readUsdReference'>,
    @Inject(QuoteRepository) private readonly quotes: Pick<QuoteRepository, 'claim' | 'keep' | 'last'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * @throws ApiError `NOT_FOUND` without a custom-launch context, `CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED` without
   * a usable price.
   */
  async read(): Promise<WrittenQuote> {
    if (this.release.context() === null) throw new ApiError('NOT_FOUND');
    const quote = await this.usable();
    if (quote !== null) return quote;
    throw new ApiError('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Returns the current quote, or null. */
  usable(): Promise<WrittenQuote | null> {
    const now = this.clock.now();
    const { last } = this;
    if (last !== undefined && now >= last.askedAt && now - last.askedAt < KEPT_MS) return last.quote;
    const asked = { askedAt: now, quote: this.shared() };
    this.last = asked;
    asked.quote.catch(() => {
      if (this.last === asked) this.last = undefined;
    });
    return asked.quote;
  }

  private async shared(): Promise<WrittenQuote | null> {
    const context = this.release.context();
    if (context === null) return null;
    const contextHash = canonicalKeccak(context);
    if (!(await this.quotes.claim(contextHash, QUOTE_EVERY_MS)))
      return written(await this.quotes.last(contextHash, QUOTE_SERVED_MS));
    const reference = await this.chain.readUsdReference(context.chainDeployment.usdReference);
    if (reference?.kind === 'unusable')
      this.logger.warn(
        { feed: reference.feed, problem: reference.problem, reason: reference.reason },
        'no usable price',
      );
    const text = reference?.kind === 'usable' ? canonicalJsonText(initialBuyQuote(context, reference)) : null;
    await this.quotes.keep(contextHash, text);
    return written(text);
  }
}

function written(text: string | null): WrittenQuote | null {
  if (text === null) return null;
  const bytes = new TextEncoder().encode(text);
  return { bytes, contentSha256: sha256Digest(bytes) };
}
