import type { Hex } from '@launch/contracts/primitives';
import type { Hold, HoldSubject } from '../holds/hold.repository.js';

/** A block that the index goes past without its launches, or without its trades alone, and why. */
export interface Aside {
  readonly subject: HoldSubject;
  readonly reason: string;
}

/** Places that a reading leaves out. */
export interface LeftOut {
  /** Nothing of the only block of the range is read but its header: an operator holds it, or it cannot be read. */
  readonly block: boolean;
  /** Nothing of the range's trades is read. */
  readonly trades: boolean;
  readonly transactions: ReadonlySet<Hex>;
  /** Why the index itself goes past the block; null where an operator holds it. */
  readonly reason: string | null;
}

export const NOTHING: LeftOut = { block: false, trades: false, transactions: new Set(), reason: null };

/** The part of a range that is read at once, and what is left out of it. */
export interface RangePart {
  readonly to: bigint;
  readonly leftOut: LeftOut;
}

/** Cuts a range so that a block with something of its own stands alone. */
export function partOf(
  from: bigint,
  to: bigint,
  holds: readonly Hold[],
  asides: ReadonlyMap<bigint, Aside>,
  obstacle: bigint | null,
): RangePart {
  const held = holds.filter(({ transactionHash }) => transactionHash === null).map(({ blockNumber }) => blockNumber);
  const apart = [...held, ...asides.keys(), ...(obstacle === null ? [] : [obstacle])].filter(
    (number) => number >= from && number <= to,
  );
  const next = apart.reduce((least, number) => (number < least ? number : least), to + 1n);
  const transactions = new Set(holds.flatMap(({ transactionHash }) => transactionHash ?? []));
  if (next > from) return { to: next - 1n, leftOut: { ...NOTHING, transactions } };
  const aside = asides.get(from);
  const isHeld = held.includes(from);
  return {
    to: from,
    leftOut: {
      block: isHeld || aside?.subject === 'launches',
      trades: !isHeld && aside?.subject === 'trades',
      transactions,
      reason: isHeld ? null : (aside?.reason ?? null),
    },
  };
}
