import { isReviewEnd, REVIEW_STATES } from '@launch/contracts/states';
import { Gauge, scrapeReading, type Logger, type Registry } from '@launch/platform';
import type { ReviewRepository, ReviewsInState } from './review.repository.js';

/** Each reading covers every review; a shorter interval would not help an operator. */
const READ_EVERY_MS = 10_000;

/**
 * Registers the metrics of the alerts in docs/runbooks/module-review-backlog.md. They read the database, so every
 * worker reports all reviews.
 */
export function reviewMetrics(
  registry: Registry,
  { reviews, logger, now }: { readonly reviews: ReviewRepository; readonly logger: Logger; readonly now: () => Date },
): void {
  const counts = scrapeReading(() => reviews.countByState(), {
    everyMs: READ_EVERY_MS,
    logger,
    what: 'the state of the reviews',
  });
  const gauge = (name: string, help: string, value: (inState: ReviewsInState | undefined) => number): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const all = await counts();
        this.reset();
        if (all === null) return;
        // A decided review waits for no one. A state without reviews is reported too, so that an alert ends.
        for (const state of REVIEW_STATES.filter((one) => !isReviewEnd(one)))
          this.set({ state }, value(all.find((one) => one.state === state)));
      },
    });
  gauge('launch_module_reviews', 'Reviews of modules that are not decided, by state.', (all) => all?.count ?? 0);
  gauge(
    'launch_module_review_oldest_seconds',
    'How long the oldest review of a state has been in it; 0 without one.',
    (all) => (all === undefined ? 0 : Math.max(0, (now().getTime() - all.oldest.getTime()) / 1_000)),
  );
}
