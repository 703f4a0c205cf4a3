import { Gauge, scrapeReading, type Logger, type Registry } from '@launch/platform';

/** Returns the codes for which a surface of the API is unavailable or unreliable now; empty when it is neither. */
export type UnavailabilityReasons = () => Promise<readonly string[]> | readonly string[];

const READ_EVERY_MS = 10_000;
/** Timeout of one surface at a scrape; a later scrape has its answer. */
const ANSWER_MS = 2_000;

/** Registers the reason codes that clients see, by the surface that shows them. A surface that cannot be read is absent. */
export function measureUnavailability(
  surfaces: Readonly<Record<string, UnavailabilityReasons>>,
  registry: Registry,
  logger: Logger,
): void {
  const readings = Object.entries(surfaces).map(
    ([surface, reasons]) =>
      [
        surface,
        scrapeReading(async () => reasons(), { everyMs: READ_EVERY_MS, logger, what: `reasons of ${surface}` }),
      ] as const,
  );
  new Gauge({
    name: 'launch_unavailable_reason',
    help: 'Reason codes that a surface of the API shows now: 1 for each.',
    labelNames: ['surface', 'reason'],
    registers: [registry],
    async collect() {
      const answers = await Promise.all(
        readings.map(async ([surface, reading]) => [surface, await inTime(reading())] as const),
      );
      this.reset();
      for (const [surface, reasons] of answers) for (const reason of reasons ?? []) this.set({ surface, reason }, 1);
    },
  });
}

const inTime = <T>(answer: Promise<T | null>): Promise<T | null> =>
  Promise.race([answer, new Promise<null>((resolve) => void setTimeout(() => resolve(null), ANSWER_MS).unref())]);
