/**
 * Creates a queue that runs one task at a time.
 * @param idle resolves once what a task started has ended: a task that gives up may leave it behind.
 * @returns a function that runs a task in its turn, or calls `onLate` if the signal aborts before.
 */
export function createTurns(idle: () => Promise<void>) {
  let last: Promise<void> = Promise.resolve();

  return async function inTurn<T>(signal: AbortSignal, task: () => Promise<T>, onLate: () => Error): Promise<T> {
    const before = last;
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    last = promise;
    if (!(await cameInTime(before, signal))) {
      void before.then(pass);
      throw onLate();
    }
    try {
      return await task();
    } finally {
      void idle().then(pass);
    }
  };
}

function cameInTime(turn: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const late = (): void => resolve(false);
    if (signal.aborted) late();
    signal.addEventListener('abort', late, { once: true });
    void turn.then(() => {
      signal.removeEventListener('abort', late);
      resolve(!signal.aborted);
    });
  });
}
