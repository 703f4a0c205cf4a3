import type { Logger } from '@launch/platform';
import type { Clock } from '../../platform/tokens.js';
import type { ReleaseRepository } from './release.repository.js';

/** A configured context of any family. */
export interface WatchedContext {
  readonly contextHash: string;
  /** The canonical JSON that `contextHash` is the keccak of. */
  readonly canonicalText: string;
  /** Returns why the context cannot be served now; empty when it can. A thrown error counts as indeterminate observers. */
  reasons(): Promise<readonly string[]>;
}

export interface ContextReadiness {
  readonly status: 'ready' | 'unavailable';
  readonly reasonCodes: readonly string[];
  readonly checkedAt: string;
}

export interface ContextWatchParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly releases: Pick<ReleaseRepository, 'keep'>;
}

const RECHECK_READY_MS = 30_000;
const RECHECK_UNAVAILABLE_MS = 2_000;

/** Checks a configured context at start and periodically, and stores one that passed. */
export class ContextWatch {
  private readiness: ContextReadiness;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private kept = false;

  /** @param context null where none is configured. */
  constructor(
    private readonly context: WatchedContext | null,
    private readonly parts: ContextWatchParts,
  ) {
    this.readiness = this.reading(context === null ? ['CONTEXT_NOT_CONFIGURED'] : ['CONTEXT_NOT_CHECKED_YET']);
  }

  /** Checks now and keeps checking; resolves after the first check. */
  async start(): Promise<void> {
    const { context } = this;
    if (context === null) return;
    await this.check(context);
    if (this.stopped) return;
    this.timer = setTimeout(
      () => void this.start(),
      this.readiness.status === 'ready' ? RECHECK_READY_MS : RECHECK_UNAVAILABLE_MS,
    );
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Returns the last result; the same object while nothing changes. */
  describe(): ContextReadiness {
    return this.readiness;
  }

  private async check(context: WatchedContext): Promise<void> {
    let reasons: readonly string[];
    try {
      reasons = await context.reasons();
    } catch (error) {
      this.parts.logger.error({ err: error }, 'the context could not be checked');
      reasons = ['OBSERVERS_INDETERMINATE'];
    }
    // Providers that are unreachable for a moment prove nothing against contracts that were found right.
    const passing = reasons.length > 0 && reasons.every((reason) => reason === 'OBSERVERS_INDETERMINATE');
    if (passing && this.readiness.status === 'ready') return;
    this.settle(context, reasons);
    if (reasons.length === 0) await this.keep(context);
  }

  /** Stores a release that was served, for ever, with or without launches under it. */
  private async keep({ contextHash, canonicalText }: WatchedContext): Promise<void> {
    if (this.kept) return;
    try {
      await this.parts.releases.keep(contextHash, canonicalText);
      this.kept = true;
    } catch (error) {
      // The next check retries, and a reservation stores its context itself.
      this.parts.logger.warn({ err: error }, 'the context could not be registered yet');
    }
  }

  private settle({ contextHash }: WatchedContext, reasons: readonly string[]): void {
    const next = this.reading(reasons);
    if (next.status !== this.readiness.status)
      this.parts.logger.info({ status: next.status, reasonCodes: reasons, contextHash }, 'context readiness');
    this.readiness = next;
  }

  private reading(reasonCodes: readonly string[]): ContextReadiness {
    return {
      status: reasonCodes.length === 0 ? 'ready' : 'unavailable',
      reasonCodes: reasonCodes.slice(0, 16),
      checkedAt: new Date(this.parts.clock.now()).toISOString(),
    };
  }
}
