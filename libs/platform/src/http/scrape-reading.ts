import type { Logger } from '../logging/logger.js';

/**
 * What the gauges of a scrape are told from: one reading for all of them, no second one beside it, and at most one each
 * `everyMs`. Null where it fails: a scrape goes without, and readiness says why.
 */
export function scrapeReading<T>(
  read: () => Promise<T>,
  { everyMs, logger, what }: { readonly everyMs: number; readonly logger: Logger; readonly what: string },
): () => Promise<T | null> {
  let at = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let reading: Promise<T | null> = Promise.resolve(null);
  return () => {
    if (isReading || Date.now() - at < everyMs) return reading;
    at = Date.now();
    isReading = true;
    reading = read()
      .catch((error: unknown) => {
        logger.warn({ err: error }, `${what} could not be read for the metrics`);
        return null;
      })
      .finally(() => {
        isReading = false;
      });
    return reading;
  };
}
