import type { Axes } from './coin-facts.js';

/** One of the nine facts about a coin, in words. */
export interface Axis {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

const UNVERIFIED = { UNVERIFIED: 'No source of this service shows it, so it is unknown.' } as const;

type Meanings = { readonly [Name in keyof Axes]: { readonly [Value in Axes[Name]]: string } };
const MEANINGS: Meanings = {
  provenance: {
    STAMPED: 'A published router stamped the launch.',
    NOT_STAMPED: 'The index read every published router without a gap, and none stamped the launch.',
    INDETERMINATE: 'It is unknown whether a published router stamped the launch.',
  },
  feedAvailability: {
    AVAILABLE: 'The finalized feed of the chain is complete. This says nothing about the coin itself.',
    UNAVAILABLE: 'The finalized feed of the chain is not complete now. This says nothing about the coin itself.',
  },
  finality: {
    FINALIZED: 'Ethereum finalized the block of the launch.',
    INDETERMINATE: 'The launch is not final, or the index concludes nothing from its block.',
  },
  sourceVerification: {
    EXACT_MATCH: 'The record in the feed has an exact source match for every component.',
    UNVERIFIED: 'No record has an exact source match for every component.',
  },
  writeActivation: {
    ACTIVE: 'The service accepts new launches. This says nothing about the coin itself.',
    INACTIVE: 'The service accepts no new launches. This says nothing about the coin itself.',
    UNAVAILABLE: 'It is unknown whether the service accepts new launches. This says nothing about the coin itself.',
  },
  feeBehaviour: UNVERIFIED,
  security: UNVERIFIED,
  marketSupport: UNVERIFIED,
  thirdPartyIndexing: UNVERIFIED,
};

const NAMES: Readonly<Record<keyof Axes, string>> = {
  provenance: 'Provenance',
  feedAvailability: 'Feed',
  finality: 'Finality',
  sourceVerification: 'Source',
  writeActivation: 'New launches',
  feeBehaviour: 'Fee behaviour',
  security: 'Security',
  marketSupport: 'Market support',
  thirdPartyIndexing: 'Indexing by third parties',
};

/** Returns the nine axes in words, in the order of the reference. */
export function axesInWords(axes: Axes): readonly Axis[] {
  return (Object.keys(NAMES) as (keyof Axes)[]).map((name) => ({
    name: NAMES[name],
    value: axes[name],
    meaning: (MEANINGS[name] as Readonly<Record<string, string>>)[axes[name]] ?? '',
  }));
}

/** Returns one sentence about the stamp of a coin, null for a coin with the label. */
export function stampSentence(provenance: Axes['provenance'], label: string | null): string | null {
  if (label !== null) return null;
  if (provenance === 'NOT_STAMPED') return 'This coin has no stamp: no published router of this service launched it.';
  if (provenance === 'INDETERMINATE')
    return 'It is unknown whether a published router of this service stamped this coin.';
  return 'A published router of this service stamped this coin, but the coin does not have the label "Service Custom".';
}
