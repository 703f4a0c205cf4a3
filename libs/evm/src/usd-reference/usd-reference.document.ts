import type { UsdReferenceDocument } from '@launch/contracts/custom-launch';
import type { Hex } from '../encoding/hex.js';
import type { UsdFeedReading, UsdReadings } from './usd-reference.js';

/** The answer of one feed and its block. */
export interface LocatedUsdReading extends UsdFeedReading {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

/** A usable reading of both feeds. */
export interface LocatedUsdReference {
  readonly oneUsdReferenceWei: bigint;
  /** Unix seconds. */
  readonly readAt: bigint;
  readonly readings: { readonly l2Feed: LocatedUsdReading; readonly l1Feed: LocatedUsdReading };
}

/** Builds the document to sign for a reading about one launch. */
export const usdReferenceDocument = (
  { oneUsdReferenceWei, readAt, readings }: LocatedUsdReference,
  launch: Pick<UsdReferenceDocument, 'launchId' | 'requestHash' | 'contextHash'>,
): UsdReferenceDocument => ({
  schemaVersion: 'service.usd-reference.v1',
  kind: 'usd-reference',
  launchId: launch.launchId,
  requestHash: launch.requestHash,
  contextHash: launch.contextHash,
  l2Feed: readingToWire(readings.l2Feed),
  l1Feed: readingToWire(readings.l1Feed),
  oneUsdReferenceWei: String(oneUsdReferenceWei),
  readAt: String(readAt),
});

/** Returns the readings in a document, from which any verifier can compute the reference again. */
export const usdReadingsOf = ({ l2Feed, l1Feed }: UsdReferenceDocument): UsdReadings => ({
  l2Feed: readingFromWire(l2Feed),
  l1Feed: readingFromWire(l1Feed),
});

type WireReading = UsdReferenceDocument['l2Feed'];

const readingToWire = (reading: LocatedUsdReading): WireReading => ({
  blockNumber: String(reading.blockNumber),
  blockHash: reading.blockHash,
  blockTime: String(reading.blockTime),
  decimals: reading.decimals,
  roundId: String(reading.roundId),
  answer: String(reading.answer),
  updatedAt: String(reading.updatedAt),
  answeredInRound: String(reading.answeredInRound),
});

const readingFromWire = (reading: WireReading): UsdFeedReading => ({
  blockTime: BigInt(reading.blockTime),
  decimals: reading.decimals,
  roundId: BigInt(reading.roundId),
  answer: BigInt(reading.answer),
  updatedAt: BigInt(reading.updatedAt),
  answeredInRound: BigInt(reading.answeredInRound),
});
