import { z } from 'zod';
import { signatureSchema } from '../launch/admission-parts.schema.js';
import { bytes32Schema, uint256Schema, unixSecondsSchema, uuidSchema } from '../primitives/scalars.schema.js';

/** The answer of a price feed at one block, as both observers of its chain read it. Integers are decimal strings. */
const usdFeedReadingSchema = z.strictObject({
  blockNumber: uint256Schema,
  blockHash: bytes32Schema,
  blockTime: unixSecondsSchema,
  decimals: z.number().int().min(0).max(255),
  roundId: uint256Schema,
  /**
   * US dollars for one unit of the native currency, times 10^decimals. Admission never signs a reading that is not
   * positive.
   */
  answer: uint256Schema,
  updatedAt: unixSecondsSchema,
  answeredInRound: uint256Schema,
});

/**
 * The server's own reading of both price feeds for one launch, made before its permit is signed. It is no part of the
 * source receipt, which is written once: each attempt of a launch has its own reading.
 */
export const usdReferenceDocumentSchema = z.strictObject({
  schemaVersion: z.literal('service.usd-reference.v1'),
  kind: z.literal('usd-reference'),
  launchId: uuidSchema,
  requestHash: bytes32Schema,
  /** Hash of the context that pins both feeds. */
  contextHash: bytes32Schema,
  l2Feed: usdFeedReadingSchema,
  l1Feed: usdFeedReadingSchema,
  /** Wei, computed from both readings and rounded up. */
  oneUsdReferenceWei: uint256Schema,
  /** Time when the reading began, by the clock of the reader. */
  readAt: unixSecondsSchema,
});
export type UsdReferenceDocument = z.infer<typeof usdReferenceDocumentSchema>;

/** The stored form: the reading and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedUsdReferenceSchema = z.strictObject({
  usdReference: usdReferenceDocumentSchema,
  signature: signatureSchema,
});
export type SignedUsdReference = z.infer<typeof signedUsdReferenceSchema>;
