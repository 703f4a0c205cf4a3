import type { TokenMetadata } from '@launch/contracts/index';
import type { Hex } from '../../encoding/hex.js';
import { fault } from '../judging.js';
import type { Answers, Fault } from '../source-adapter.js';
import { callRead, returnedBy, type Asked } from '../source-reads.js';
import { DISPLAY_GAS, displayedMetadata, noMetadata } from '../token-display.js';
import { FOUNDATION_ABI } from './foundation.abi.js';
import { foundationMetadataHash, type FoundationMetadata } from './foundation-commitments.js';

/** The getters of a Foundation token's metadata, one per value (docs/reference/index-sources.md#token-metadata). */
const PARTS = ['name', 'symbol', 'description', 'imageURI', 'website', 'socialData'] as const;

const tokenAt = (address: Hex): Asked => ({ name: 'token', address, abi: FOUNDATION_ABI, gas: DISPLAY_GAS });

export const tokenReads = (token: Hex) =>
  [...PARTS, 'decimals', 'metadataHash'].map((name) => callRead(tokenAt(token), name));

/** Returns all metadata of the token as bytes, or null if one getter has no value. */
function foundationMetadata(token: Hex, answers: Answers): FoundationMetadata | null {
  const said: Partial<Record<(typeof PARTS)[number], Hex>> = {};
  for (const part of PARTS) {
    const [value] = returnedBy(tokenAt(token), part, answers) ?? [];
    if (value === undefined) return null;
    said[part] = value as Hex;
  }
  return said as FoundationMetadata;
}

/** Returns the token's own commitment, or null if it has none. */
const saidMetadataHash = (token: Hex, answers: Answers): Hex | null =>
  (returnedBy(tokenAt(token), 'metadataHash', answers)?.[0] as Hex | undefined) ?? null;

/**
 * Compares the token's answers, where it answers, with the commitment that its launch bound.
 * @param bound null for a stamped graph, whose only commitment is the token's own.
 */
export function metadataFault(token: Hex, bound: Hex | null, answers: Answers): Fault | null {
  const hash = saidMetadataHash(token, answers);
  if (bound !== null && hash !== null && hash !== bound) return fault('METADATA_COMMITMENT_MISMATCH', 'metadataHash()');
  const commitment = bound ?? hash;
  const said = foundationMetadata(token, answers);
  return commitment === null || said === null || foundationMetadataHash(said) === commitment
    ? null
    : fault('METADATA_COMMITMENT_MISMATCH', 'the token’s own words');
}

/** Returns the metadata that readers see. */
export function displayedFoundation(token: Hex, answers: Answers): TokenMetadata {
  const isSilent = PARTS.some((part) => {
    const answer = answers.get(`token.${part}`);
    return answer?.kind !== 'returned' || answer.data === '0x';
  });
  if (isSilent) return noMetadata('absent');
  const said = foundationMetadata(token, answers);
  if (said === null) return noMetadata('malformed');
  const { description, website, imageURI: image, socialData: extraData } = said;
  return displayedMetadata({ description, website, image, extraData });
}
