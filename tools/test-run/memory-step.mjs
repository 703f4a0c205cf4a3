/** Bytes of a cache line, and how many numbers of four bytes it has. */
const LINE_BYTES = 64;
const LINE = LINE_BYTES / Int32Array.BYTES_PER_ELEMENT;

/**
 * How long memory takes to answer, in nanoseconds a step: each step reads where the next one is, in an order that no processor
 * foresees. Of 8 MiB, which a server's cache has room for, the answer tells whether others use that cache.
 * @param {number} mebibytes Of memory that is walked through.
 * @param {number} steps That are timed, after a quarter as many that are not.
 */
export function memoryStepNs(mebibytes = 8, steps = 4_000_000) {
  const lines = (mebibytes * 2 ** 20) / LINE_BYTES;
  const order = Int32Array.from({ length: lines }, (_, index) => index);
  for (let last = lines - 1, state = 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * last);
    [order[last], order[other]] = [order[other], order[last]];
  }
  const next = new Int32Array(lines * LINE);
  for (let index = 0; index < lines; index += 1) next[order[index] * LINE] = order[(index + 1) % lines] * LINE;
  const walk = (from, count) => {
    let at = from;
    for (let step = 0; step < count; step += 1) at = next[at];
    return at;
  };
  const begin = walk(0, steps / 4);
  const startedAt = process.hrtime.bigint();
  const end = walk(begin, steps);
  const elapsed = Number(process.hrtime.bigint() - startedAt);
  if (next[end] % LINE !== 0) throw new Error('the walk left its way');
  return elapsed / steps;
}
