import type { Hex } from '@launch/contracts/primitives';
import type { Hold, HoldSubject } from '../holds/hold.repository.js';

/** A block that the index skips with its launches or with its trades alone, and the reason. */
export interface Aside {
  readonly subject: HoldSubject;
  readonly reason: string;
}

/** The places that a reading leaves out. */
export interface LeftOut {
  /** Reads only the header of the range's only block: an operator holds the block, or it is unreadable. */
  readonly block: boolean;
  /** Reads no trades of the range. */
  readonly trades: boolean;
  readonly transactions: ReadonlySet<Hex>;
  /** The reason why the index itself skips the block; null if an operator holds it. */
  readonly reason: string | null;
}

export const NOTHING: LeftOut = { block: false, trades: false, transactions: new Set(), reason: null };

/** The part of a range that is read at once, and its left-out places. */
export interface RangePart {
  readonly to: bigint;
  readonly leftOut: LeftOut;
}

/** Cuts a range so that a block with left-out places is read alone. */
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
