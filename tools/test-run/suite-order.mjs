// The order in which suites are handed to workers.

/**
 * Slow suites first, so that no worker begins a long one when the others are done. Of suites that mostly wait, one at a time
 * while there is another to run: side by side they would leave the cores idle, and all that computes would come after them.
 * @param suites each with `seconds`, and `waits` where it mostly does.
 * @param workers how many run at a time.
 * @returns the same suites in the order in which free workers take them.
 */
export function suiteOrder(suites, workers) {
  const bySeconds = [...suites].sort((one, other) => other.seconds - one.seconds);
  const waiting = bySeconds.filter(({ waits }) => waits);
  const computing = bySeconds.filter(({ waits }) => !waits);
  const ends = Array.from({ length: Math.max(1, workers) }, () => 0);
  const order = [];
  let waitEndsAt = 0;
  while (order.length < suites.length) {
    const worker = ends.indexOf(Math.min(...ends));
    const now = ends[worker];
    const isWaitDue = waiting.length > 0 && (waitEndsAt <= now || computing.length === 0);
    const next = (isWaitDue ? waiting : computing).shift();
    ends[worker] = now + next.seconds;
    if (next.waits) waitEndsAt = ends[worker];
    order.push(next);
  }
  return order;
}
