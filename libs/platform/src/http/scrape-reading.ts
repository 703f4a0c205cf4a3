import type { Logger } from '../logging/logger.js';

/**
 * Reads the value behind the gauges of a scrape: one reading for all of them, never two concurrently, and at most one
 * per `everyMs`. Returns null after a failure: the scrape omits the value, and readiness reports the reason.
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
