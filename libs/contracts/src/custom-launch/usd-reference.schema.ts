import { z } from 'zod';
import { signatureSchema } from '../launch/admission-parts.schema.js';
import { bytes32Schema, uint256Schema, unixSecondsSchema, uuidSchema } from '../primitives/scalars.schema.js';

/** What both observers of a chain said of its price feed at one block that both have. Integers are decimal strings. */
const usdFeedReadingSchema = z.strictObject({
  blockNumber: uint256Schema,
  blockHash: bytes32Schema,
  blockTime: unixSecondsSchema,
  decimals: z.number().int().min(0).max(255),
  roundId: uint256Schema,
  /** US dollars for one unit of the native currency, times 10^decimals. A reading that is not positive is never signed. */
  answer: uint256Schema,
  updatedAt: unixSecondsSchema,
  answeredInRound: uint256Schema,
});

/**
 * The server's own reading of both price feeds, made for one launch before its permit is signed. It is no part of the
 * source receipt, which is written once: each attempt of a launch has a reading of its own.
 */
export const usdReferenceDocumentSchema = z.strictObject({
  schemaVersion: z.literal('service.usd-reference.v1'),
  kind: z.literal('usd-reference'),
  launchId: uuidSchema,
  requestHash: bytes32Schema,
  /** Of the context that pins both feeds. */
  contextHash: bytes32Schema,
  l2Feed: usdFeedReadingSchema,
  l1Feed: usdFeedReadingSchema,
  /** What follows from both readings: wei, rounded up. */
  oneUsdReferenceWei: uint256Schema,
  /** When the reading began, by the reader's clock. */
  readAt: unixSecondsSchema,
});
export type UsdReferenceDocument = z.infer<typeof usdReferenceDocumentSchema>;

/** The stored form: the reading and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedUsdReferenceSchema = z.strictObject({
  usdReference: usdReferenceDocumentSchema,
  signature: signatureSchema,
});
export type SignedUsdReference = z.infer<typeof signedUsdReferenceSchema>;
