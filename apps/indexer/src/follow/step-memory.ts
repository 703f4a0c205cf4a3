import type { Aside } from './left-out.js';
import { Troubles, type Patience } from './troubles.js';

/** State that the steps of one source keep in memory; all else is in the database. */
export interface StepMemory {
  range: bigint;
  /** Head and final block under which the last checkpoint was found in the chain. */
  checkedAt: string | null;
  readonly troubles: Troubles;
  /** Launches that are left without a verdict, each with the reason, until their range is written. */
  readonly givenUp: Map<string, string>;
  /** Launches that readings of held places left without a verdict, by the hold, each with the reason. */
  readonly heldOpen: Map<string, Map<string, string>>;
  /** Blocks that the index goes past, until they are written. */
  readonly asides: Map<bigint, Aside>;
  /** A block in the way of a range, so that those before it are read apart from it. */
  obstacle: bigint | null;
  /** The last block that was read: whether it can be read again tells a block's fault from the observers'. */
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
