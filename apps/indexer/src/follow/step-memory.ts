import type { Aside } from './left-out.js';
import { Troubles, type Patience } from './troubles.js';

/** The in-memory state of one source's steps; everything else is in the database. */
export interface StepMemory {
  range: bigint;
  /** Head and final block at the time when the last checkpoint was found in the chain. */
  checkedAt: string | null;
  readonly troubles: Troubles;
  /** Launches without a verdict that were given up, each with the reason, until their range is written. */
  readonly givenUp: Map<string, string>;
  /** Launches without a verdict in readings of held places, by the hold, each with the reason. */
  readonly heldOpen: Map<string, Map<string, string>>;
  /** Skipped blocks, until they are written. */
  readonly asides: Map<bigint, Aside>;
  /** The failing block of a range, so that the blocks before it are read separately. */
  obstacle: bigint | null;
  /** The last read block: reading it again distinguishes a block's fault from the observers'. */
  control: bigint | null;
}

const FIRST_RANGE = 256n;
export const newStepMemory = ({
  rangeBlocks,
  patience,
  now,
}: {
  readonly rangeBlocks: bigint;
  readonly patience: Patience;
  readonly now: () => number;
}): StepMemory => ({
  range: rangeBlocks < FIRST_RANGE ? rangeBlocks : FIRST_RANGE,
  checkedAt: null,
  troubles: new Troubles(patience, now),
  givenUp: new Map(),
  heldOpen: new Map(),
  asides: new Map(),
  obstacle: null,
  control: null,
});
