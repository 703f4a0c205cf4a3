import type { Bench, BenchWorld } from './bench.types.js';
import type { BenchDocument } from './measure/bench-document.schema.js';
import { loadNow, machineFacts } from './measure/machine.facts.js';
import type { BenchStack } from './stack/bench-stack.js';

export interface RunOptions {
  readonly benches: readonly Bench[];
  /** No bench begins after this many seconds; those left are named as missing. */
  readonly seconds: number;
  readonly isFull: boolean;
  readonly say: (text: string) => void;
  readonly startStack: () => Promise<BenchStack>;
  /** Aborted: no further bench begins. */
  readonly signal: AbortSignal;
}

/** Benches of that name, or of a name that begins with it and a dot. All of them without a name. */
export function selectBenches(benches: readonly Bench[], only: readonly string[]): readonly Bench[] {
  if (only.length === 0) return benches;
  return benches.filter(({ name }) => only.some((wanted) => name === wanted || name.startsWith(`${wanted}.`)));
}

/** Runs one bench after the other and describes all of it. The stack is started once, if at all, and
 * stopped when no bench needs it any more. */
export async function runBenches(options: RunOptions): Promise<BenchDocument> {
  const { benches, seconds, say, signal } = options;
  const startedAt = new Date();
  const loadBefore = loadNow();
  let starting: Promise<BenchStack> | undefined;
  const world: BenchWorld = {
    stack: () => (starting ??= options.startStack()),
    isFull: options.isFull,
    say: (text) => say(`    ${text}`),
  };
  const stopStack = async (): Promise<void> => {
    const stopped = starting;
    starting = undefined;
    await stopped?.then(
      (stack) => stack.stop(),
      // The bench that needed it reports its failure. It has stopped everything that it had started.
      () => undefined,
    );
  };
  const measured: BenchDocument['benches'] = [];
  const missing: BenchDocument['missing'] = [];
  const elapsed = (): number => (Date.now() - startedAt.getTime()) / 1_000;
  try {
    for (const [index, bench] of benches.entries()) {
      if (!benches.slice(index).some(({ needsStack }) => needsStack)) await stopStack();
      if (signal.aborted) missing.push({ name: bench.name, kind: 'interrupted', reason: 'the run was interrupted' });
      else if (elapsed() >= seconds)
        missing.push({ name: bench.name, kind: 'time-up', reason: `the ${seconds} seconds were up` });
      else await runOne(bench, world, measured, missing, say);
    }
  } finally {
    await stopStack();
  }
  return {
    schemaVersion: 'launch.bench.v1',
    startedAt: startedAt.toISOString(),
    durationSeconds: Math.round(elapsed()),
    machine: machineFacts(loadBefore),
    benches: measured,
    missing,
  };
}

async function runOne(
  bench: Bench,
  world: BenchWorld,
  measured: BenchDocument['benches'],
  missing: BenchDocument['missing'],
  say: (text: string) => void,
): Promise<void> {
  say(`  ${bench.name}`);
  const startedAt = Date.now();
  try {
    measured.push(...(await bench.run(world)));
    say(`  ✔ ${bench.name}, ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    missing.push({ name: bench.name, kind: 'failed', reason });
    say(`  ✘ ${bench.name}: ${reason}`);
  }
}
