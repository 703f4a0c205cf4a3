/** Summarises samples. Every function refuses an empty list, because no number represents "nothing was measured". */

function ascending(samples: readonly number[]): number[] {
  if (samples.length === 0) throw new RangeError('no samples');
  if (samples.some((sample) => !Number.isFinite(sample))) throw new RangeError('a sample is not a number');
  return [...samples].sort((a, b) => a - b);
}

/** The value that `percent` of the samples do not exceed: nearest rank, so always one of the samples. */
export function percentile(samples: readonly number[], percent: number): number {
  if (!(percent > 0 && percent <= 100)) throw new RangeError('a percentile is above 0 and at most 100');
  const sorted = ascending(samples);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] as number;
}

/** The middle sample; the mean of the two middle ones of an even number. */
export function median(samples: readonly number[]): number {
  const sorted = ascending(samples);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Largest distance from the median, as a share of it: how noisy a measurement was. */
export function spread(samples: readonly number[]): number {
  const middle = median(samples);
  if (middle === 0) return 0;
  return Math.max(...samples.map((sample) => Math.abs(sample - middle))) / Math.abs(middle);
}

/** Four significant digits: what a measurement on a shared machine can bear. */
export const rounded = (value: number): number => Number(value.toPrecision(4));
