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

/** Logs and reads of one launch. What exceeds them is no launch that anybody verifies; a source's contract makes far fewer. */
export const MAX_VERIFIED_LOGS = 65_536;
export const MAX_VERIFIED_READS = 1_024;
/** Characters of the evidence about one launch as canonical JSON. */
export const MAX_EVIDENCE_CHARACTERS = 30 * 1024 * 1024;
const MAX_VERIFIED_BYTES = MAX_EVIDENCE_CHARACTERS / 2;

/** A question to a node about one account at the launch's block. */
export const sourceReadSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    /** Unique within one verification; says what is asked, as `launcher.getLaunch`. */
    name: z.string().min(1).max(128),
    to: addressSchema,
    data: hexBytesSchema(4_096),
    /**
     * Gas of a question to code that nobody reviewed. Running out of it is a revert like any other, so that no token
     * can hold an index up.
     */
    gas: z.number().int().min(21_000).max(30_000_000).optional(),
  }),
  z.strictObject({ kind: z.literal('code'), name: z.string().min(1).max(128), to: addressSchema }),
]);
export type SourceRead = z.infer<typeof sourceReadSchema>;

/** What both observers answered. The code of an account comes as its keccak-256. */
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

/** Of the last instant that JavaScript has a date for. */
const LAST_SECOND = 8_640_000_000_000;

export const sourceBlockSchema = z.strictObject({
  number: decimalSchema,
  hash: bytes32Schema,
  /** Unix seconds. */
  timestamp: decimalSchema.refine((text) => Number(text) <= LAST_SECOND, 'a time that a date can be'),
});
export type SourceBlock = z.infer<typeof sourceBlockSchema>;

const place = {
  block: sourceBlockSchema,
  transactionHash: bytes32Schema,
  transactionIndex: z.number().int().min(0),
  /** Of the event whose place is the launch's. */
  anchorLogIndex: z.number().int().min(0),
  receiptStatus: z.enum(['success', 'reverted']),
};

/**
 * The evidence that a launch was verified by: every log and every read, each by its digest. It has no times and no
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

/** The same with the bytes: what a stranger judges again offline. */
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
