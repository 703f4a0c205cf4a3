import type { Measurement } from './bench-document.schema.js';
import { ownProcessorTime } from './processor-time.js';
import { median, percentile, rounded } from './statistics.js';

/**
 * Runs `work` over and over until it has used `milliseconds` of processor time and returns how often it ran in a second
 * of that. Time the process waits for a processor does not count, collecting its garbage does.
 */
export function timesPerSecond(work: () => unknown, milliseconds: number): number {
  const before = ownProcessorTime();
  let runs = 0;
  let used = 0;
  do {
    work();
    runs += 1;
    used = ownProcessorTime() - before;
  } while (used < milliseconds);
  return (runs * 1_000) / used;
}

/** Milliseconds that `work` takes, and what it gives. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly milliseconds: number; readonly result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - startedAt, result };
}

/**
 * Does every item once with `concurrency` at a time and returns items per second.
 * The first failure ends it: a rate with errors in it is no rate.
 */
export async function itemsPerSecond<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as T);
  };
  const { milliseconds } = await timed(() => Promise.all(Array.from({ length: concurrency }, lane)));
  return (items.length * 1_000) / milliseconds;
}

/** The compared sides. Each takes one sample a round. */
export interface Sides {
  readonly ours: () => number | Promise<number>;
  readonly peer: () => number | Promise<number>;
}

export interface PairedSamples {
  readonly ours: number[];
  readonly peer: number[];
}

/** Samples of both sides in turns, the first side alternating, so that a slow minute of the machine meets both. */
export async function alternate(rounds: number, sides: Sides): Promise<PairedSamples> {
  const samples: PairedSamples = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
      samples[side].push(await sides[side]());
    }
  }
  return samples;
}

type About = Pick<Measurement, 'name' | 'unit' | 'better' | 'summary'>;

/** The one number of a side. The best sample is for pure work: other work of the machine can only slow it down. */
function summarised({ summary, better }: About, samples: readonly number[]): number {
  switch (summary) {
    case 'best':
      return better === 'higher' ? Math.max(...samples) : Math.min(...samples);
    case 'median':
      return median(samples);
    case 'p95':
      return percentile(samples, 95);
    case 'p99':
      return percentile(samples, 99);
  }
}

/** Ours beside a named peer. */
export function compared(about: About & { readonly peerName: string }, samples: PairedSamples): Measurement {
  const ours = summarised(about, samples.ours);
  const peer = summarised(about, samples.peer);
  return {
    ...about,
    ours: rounded(ours),
    peer: rounded(peer),
    ratio: rounded(ours / peer),
    samples: { ours: samples.ours.map(rounded), peer: samples.peer.map(rounded) },
  };
}

/** A number without a counterpart: a part of a measured whole. */
export function alone(about: About, samples: readonly number[]): Measurement {
  return {
    ...about,
    ours: rounded(summarised(about, samples)),
    peer: null,
    peerName: null,
    ratio: null,
    samples: { ours: samples.map(rounded), peer: [] },
  };
}
