/** Processor time, ms, from which each step holds, the lowest priority first. */
const STEPS = [
  { fromMs: 4_000, niceness: 15 },
  { fromMs: 2_000, niceness: 10 },
  { fromMs: 1_000, niceness: 6 },
  { fromMs: 500, niceness: 3 },
] as const;

/** Bytes of compiler input that count as a millisecond of use before the compiler starts: half the usual rate of solc. */
const BYTES_PER_MS = 256;

/**
 * Returns the niceness of a compilation by the processor time, ms, that its request used, and by the size of its input.
 * The request that uses least goes first: most compilations end within two seconds, and slow ones beside them must not
 * multiply that time. Size counts because several slow compilations that start together are harmful before their use shows.
 *
 * It ends at 15. Beside five compilations of the usual niceness on two cores that is still the processor time that
 * `StallWatch` counts as progress; at 19 it would not be.
 */
export function nicenessOf(usedMs: number, inputBytes: number): number {
  const ms = usedMs + Math.floor(inputBytes / BYTES_PER_MS);
  return STEPS.find(({ fromMs }) => ms >= fromMs)?.niceness ?? 0;
}
