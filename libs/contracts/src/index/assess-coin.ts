import type { CoinAxes, CoinLabel } from './coin-axes.schema.js';
import { CUSTOM_LABEL } from './reads/read-parts.schema.js';

/** Whether a fact holds; null if that is unknown, which is never the same as false. */
export type Known = boolean | null;

/** The state of new launches: each gate of discovery, and whether readiness agrees with it. */
export interface WriteFacts {
  readonly publicWrites: Known;
  readonly publicAuthorization: Known;
  readonly releaseReady: Known;
  /** False: readiness contradicts discovery. */
  readonly readinessMatches: Known;
}

/** Facts about a coin. */
export interface CoinFacts {
  /**
   * A published router stamped the coin. False only if every router was read without a gap, at one block that is final
   * for both providers.
   */
  readonly stamped: Known;
  /** Every page of the feed was read and is ready. */
  readonly feedReady: Known;
  /** Its launch's block is final. */
  readonly finalized: Known;
  /** Its record in the feed has `exact_match` for the launch and every component. */
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

/** A contradiction makes every statement unreliable, so it comes first. An explicit refusal comes next. */
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
