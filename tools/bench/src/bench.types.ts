import type { Measurement } from './measure/bench-document.schema.js';
import type { BenchStack } from './stack/bench-stack.js';

/** What benches share in a run. */
export interface BenchWorld {
  /** The whole product, started by the first bench that asks. */
  stack(): Promise<BenchStack>;
  /** Whether there is time for the sizes that a night has. */
  readonly isFull: boolean;
  /** A line for the person who watches. */
  say(text: string): void;
}

/** One thing to be measured. It bounds its own time and leaves nothing running. */
export interface Bench {
  /** Dotted; what `--only` names, itself or a part before a dot. */
  readonly name: string;
  /** Whether it asks for the stack: after the last that does, the stack is stopped. */
  readonly needsStack: boolean;
  run(world: BenchWorld): Promise<readonly Measurement[]>;
}
