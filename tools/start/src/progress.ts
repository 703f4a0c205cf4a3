/** Tells a person what starts, how long it takes and where it listens. */
export interface Progress {
  /** Runs a step; the line is written when it is done, and again every few seconds while it takes long. */
  step<T>(
    title: string,
    work: (say: (detail: string) => void) => Promise<T>,
    where?: (result: T) => string,
  ): Promise<T>;
  line(text: string): void;
}

/** A step that ends before this time needs no line. */
export const FIRST_WORD_MS = 1_000;
export const REMIND_MS = 5_000;
const TITLE_WIDTH = 18;

/** Calls `say` after a first while and then again and again, until it is stopped. */
export function remind(say: () => void, firstMs: number, everyMs: number): { stop(): void } {
  const again = (): NodeJS.Timeout => {
    say();
    return setTimeout(() => (timer = again()), everyMs);
  };
  let timer = setTimeout(() => (timer = again()), firstMs);
  return { stop: () => clearTimeout(timer) };
}

/** Progress as plain lines: the same on a terminal and in a log. */
export function createProgress(stream: NodeJS.WritableStream): Progress {
  // A terminal that was closed, or a reader that went away, must not end what runs: an orderly stop writes too.
  stream.on('error', () => undefined);
  const line = (text: string) => void stream.write(`${text}\n`);
  return {
    line,
    async step(title, work, where) {
      const startedAt = Date.now();
      const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8);
      let latest = '';
      const timer = remind(
        () => line(`  … ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${latest || 'still at it'}`),
        REMIND_MS,
        REMIND_MS,
      );
      try {
        const result = await work((detail) => {
          // The first word of something long is said at once; the reminder repeats the latest.
          if (latest === '') line(`  … ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${detail}`);
          latest = detail;
        });
        line(`  ✔ ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${where?.(result) ?? ''}`.trimEnd());
        return result;
      } catch (error) {
        line(`  ${isGivenUp(error) ? '–' : '✘'} ${title.padEnd(TITLE_WIDTH)}${seconds()}`);
        throw error;
      } finally {
        timer.stop();
      }
    },
  };
}

/** Returns whether a start ended on request, and not by a fault. */
export const isGivenUp = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError';

/** Prints nothing, for tests and callers that need silence. */
export const silentProgress: Progress = { step: (_title, work) => work(() => undefined), line: () => undefined };
