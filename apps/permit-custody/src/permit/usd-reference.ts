import type { UsdReferenceDocument } from '@launch/contracts/custom-launch';
import type { Hex } from '@launch/contracts/primitives';
import { USD_READING_MAX_AGE_SECONDS, usdReadingsOf, usdReferenceOf, type UsdReferenceTerms } from '@launch/evm';

/** Maximum seconds that a reader's clock may be ahead of custody's. */
const MAX_AHEAD_SECONDS = 30;

/** The launch, request and context that a reading must name. */
export interface ReadFor {
  readonly launchId: string;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
}

/**
 * Returns one US dollar in wei by a reading that admission signed; null unless the reading is of this launch, request and
 * context, at most 90 s old, of usable prices, and states the reference that custody computes from them
 * (docs/reference/economics.md#when-the-price-is-judged).
 */
export function usdReferenceFor(
  launch: ReadFor,
  reading: UsdReferenceDocument | null,
  terms: UsdReferenceTerms,
  nowSeconds: number,
): bigint | null {
  if (reading === null) return null;
  if (reading.launchId !== launch.launchId) return null;
  if (reading.requestHash !== launch.requestHash || reading.contextHash !== launch.contextHash) return null;
  const readAt = BigInt(reading.readAt);
  const age = BigInt(nowSeconds) - readAt;
  if (age > BigInt(USD_READING_MAX_AGE_SECONDS) || age < -BigInt(MAX_AHEAD_SECONDS)) return null;
  const reference = usdReferenceOf(terms, usdReadingsOf(reading), readAt);
  if (reference.kind !== 'usable' || String(reference.oneUsdReferenceWei) !== reading.oneUsdReferenceWei) return null;
  return reference.oneUsdReferenceWei;
}
