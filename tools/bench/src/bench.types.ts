import type { Measurement } from './measure/bench-document.schema.js';
import type { BenchStack } from './stack/bench-stack.js';

/** The parts that the benches of a run share. */
export interface BenchWorld {
  /** The whole product, started by the first bench that asks. */
  stack(): Promise<BenchStack>;
  /** Whether to measure the large sizes of nightly runs. */
  readonly isFull: boolean;
  /** Prints a line for the person at the terminal. */
  say(text: string): void;
}

/** One thing to be measured. It bounds its own time and leaves nothing running. */
export interface Bench {
  /** Dotted. `--only` selects the whole name or a part before a dot. */
  readonly name: string;
  /** Whether the bench uses the stack. The stack stops after the last bench that does. */
  readonly needsStack: boolean;
  run(world: BenchWorld): Promise<readonly Measurement[]>;
}
