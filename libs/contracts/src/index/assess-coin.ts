import type { CoinAxes, CoinLabel } from './coin-axes.schema.js';
import { CUSTOM_LABEL } from './reads/read-parts.schema.js';

/** Whether something holds; null where that could not be told, which is never the same as that it does not. */
export type Known = boolean | null;

/** What the authority over new launches says: each gate of discovery, and whether readiness says the same. */
export interface WriteFacts {
  readonly publicWrites: Known;
  readonly publicAuthorization: Known;
  readonly releaseReady: Known;
  /** False: readiness contradicts discovery. */
  readonly readinessMatches: Known;
}

/** What was found of a coin. */
export interface CoinFacts {
  /** A published router's stamp holds. False only with every router read without a gap, at one block that is final for both providers. */
  readonly stamped: Known;
  /** Each page of the feed was read, and each is ready. */
  readonly feedReady: Known;
  /** Its launch's block is final. */
  readonly finalized: Known;
  /** Its record in the feed says `exact_match`, of every component too. */
  readonly exactSource: Known;
  readonly writes: WriteFacts;
}

export interface CoinAssessment {
  readonly axes: CoinAxes;
  readonly label: CoinLabel;
}

/** Returns the axes of a coin and the label that follows from four of them (docs/reference/index-reads.md#axes). */
export function assessCoin({ stamped, feedReady, finalized, exactSource, writes }: CoinFacts): CoinAssessment {
  const axes: CoinAxes = {
    provenance: provenanceOf(stamped),
    feedAvailability: feedReady === true ? 'AVAILABLE' : 'UNAVAILABLE',
    finality: finalized === true ? 'FINALIZED' : 'INDETERMINATE',
    sourceVerification: exactSource === true ? 'EXACT_MATCH' : 'UNVERIFIED',
    writeActivation: writeActivationOf(writes),
    feeBehaviour: 'UNVERIFIED',
    security: 'UNVERIFIED',
    marketSupport: 'UNVERIFIED',
    thirdPartyIndexing: 'UNVERIFIED',
  };
  return { axes, label: labelOf(axes) };
}

function provenanceOf(stamped: Known): CoinAxes['provenance'] {
  if (stamped === null) return 'INDETERMINATE';
  return stamped ? 'STAMPED' : 'NOT_STAMPED';
}

/** What contradicts itself cannot be relied on, whatever it says; after that an explicit no is one. */
function writeActivationOf({ readinessMatches, ...gates }: WriteFacts): CoinAxes['writeActivation'] {
  const said = [gates.publicWrites, gates.publicAuthorization, gates.releaseReady];
  if (readinessMatches === false) return 'UNAVAILABLE';
  if (said.includes(false)) return 'INACTIVE';
  return readinessMatches === null || said.includes(null) ? 'UNAVAILABLE' : 'ACTIVE';
}

const labelOf = ({ provenance, feedAvailability, finality, sourceVerification }: CoinAxes): CoinLabel =>
  provenance === 'STAMPED' &&
  feedAvailability === 'AVAILABLE' &&
  finality === 'FINALIZED' &&
  sourceVerification === 'EXACT_MATCH'
    ? CUSTOM_LABEL
    : null;
