import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  hexBytesSchema,
  sha256DigestSchema,
} from '../primitives/scalars.schema.js';
import { indexSourceSchema } from './index-source.schema.js';

export const INDEX_VERIFICATION_SCHEMA = 'service.index-verification.v1';
export const INDEX_EVIDENCE_SCHEMA = 'service.index-evidence.v1';

/**
 * The most logs and reads of one launch. The contracts of a source produce far fewer; a launch with more is not
 * verified.
 */
export const MAX_VERIFIED_LOGS = 65_536;
export const MAX_VERIFIED_READS = 1_024;
/** The most characters of the evidence about one launch as canonical JSON. */
export const MAX_EVIDENCE_CHARACTERS = 30 * 1024 * 1024;
const MAX_VERIFIED_BYTES = MAX_EVIDENCE_CHARACTERS / 2;

/** A question to a node about one account at the launch's block. */
export const sourceReadSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    /** Unique within one verification; names the read, for example `launcher.getLaunch`. */
    name: z.string().min(1).max(128),
    to: addressSchema,
    data: hexBytesSchema(4_096),
    /** Gas of a call to unreviewed code. Running out of it counts as a revert, so no token can block an index. */
    gas: z.number().int().min(21_000).max(30_000_000).optional(),
  }),
  z.strictObject({ kind: z.literal('code'), name: z.string().min(1).max(128), to: addressSchema }),
]);
export type SourceRead = z.infer<typeof sourceReadSchema>;

/** The answer of both observers. The code of an account is its keccak-256. */
export const sourceAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('returned'), data: hexBytesSchema(MAX_VERIFIED_BYTES) }),
  z.strictObject({ kind: z.literal('reverted') }),
  z.strictObject({ kind: z.literal('code'), hash: bytes32Schema.nullable() }),
]);
export type SourceAnswer = z.infer<typeof sourceAnswerSchema>;

/** A log as the bound contract emitted it. */
export const sourceLogSchema = z.strictObject({
  address: addressSchema,
  topics: z.array(bytes32Schema).max(4),
  data: hexBytesSchema(MAX_VERIFIED_BYTES),
  logIndex: z.number().int().min(0),
});
export type SourceLog = z.infer<typeof sourceLogSchema>;

/** Unix seconds of the last instant that a JavaScript date can represent. */
const LAST_SECOND = 8_640_000_000_000;

export const sourceBlockSchema = z.strictObject({
  number: decimalSchema,
  hash: bytes32Schema,
  /** Unix seconds. */
  timestamp: decimalSchema.refine((text) => Number(text) <= LAST_SECOND, 'a time that a date can represent'),
});
export type SourceBlock = z.infer<typeof sourceBlockSchema>;

const place = {
  block: sourceBlockSchema,
  transactionHash: bytes32Schema,
  transactionIndex: z.number().int().min(0),
  /** Position of the event that is the launch. */
  anchorLogIndex: z.number().int().min(0),
  receiptStatus: z.enum(['success', 'reverted']),
};

/**
 * The evidence of a verified launch: every log and every read, each by its digest. It contains no times and no
 * observers, so every verification of one launch writes the same bytes, whose SHA-256 is `verificationDigest`
 * (docs/reference/index-sources.md#verification-document).
 */
export const indexVerificationSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_VERIFICATION_SCHEMA),
    sourceReleaseDigest: sha256DigestSchema,
    ...place,
    logs: z
      .array(z.strictObject({ logIndex: z.number().int().min(0), sha256: sha256DigestSchema }))
      .max(MAX_VERIFIED_LOGS),
    reads: z
      .array(z.strictObject({ read: sourceReadSchema, answerSha256: sha256DigestSchema }))
      .max(MAX_VERIFIED_READS),
  })
  .meta({ id: 'IndexVerification' });
export type IndexVerification = z.infer<typeof indexVerificationSchema>;

/** The verification document with all bytes, which allows anyone to verify the launch again offline. */
export const indexEvidenceSchema = z
  .strictObject({
    schemaVersion: z.literal(INDEX_EVIDENCE_SCHEMA),
    source: indexSourceSchema,
    ...place,
    logs: z.array(sourceLogSchema).max(MAX_VERIFIED_LOGS),
    reads: z.array(z.strictObject({ read: sourceReadSchema, answer: sourceAnswerSchema })).max(MAX_VERIFIED_READS),
  })
  .meta({ id: 'IndexEvidence' });
export type IndexEvidence = z.infer<typeof indexEvidenceSchema>;
