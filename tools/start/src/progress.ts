/** Tells a person what starts, how long it takes and where it listens. */
export interface Progress {
  /** Runs a step; the line is written when it is done, and again every few seconds while it takes long. */
  step<T>(title: string, work: (say: (detail: string) => void) => Promise<T>, where?: (result: T) => string): Promise<T>;
  line(text: string): void;
}

const REMIND_MS = 5_000;
const TITLE_WIDTH = 18;

/** Progress as plain lines: the same on a terminal and in a log. */
export function createProgress(stream: NodeJS.WritableStream): Progress {
  const line = (text: string) => void stream.write(`${text}\n`);
  return {
    line,
    async step(title, work, where) {
      const startedAt = Date.now();
      const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8);
      let latest = '';
      const remind = () => line(`  … ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${latest || 'still at it'}`);
      const timer = setInterval(remind, REMIND_MS);
      try {
        const result = await work((detail) => {
          // The first word of something long is said at once; the reminder repeats the latest.
          if (latest === '') line(`  … ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${detail}`);
          latest = detail;
        });
        line(`  ✔ ${title.padEnd(TITLE_WIDTH)}${seconds()}  ${where?.(result) ?? ''}`.trimEnd());
        return result;
      } catch (error) {
        line(`  ✘ ${title.padEnd(TITLE_WIDTH)}${seconds()}`);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** For tests and callers that want silence. */
export const silentProgress: Progress = { step: (_title, work) => work(() => undefined), line: () => undefined };
