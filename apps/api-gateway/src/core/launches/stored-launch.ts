import { parseStrictJson } from '@launch/contracts/json';
import {
  addressSchema,
  bytes32Schema,
  isSha256Digest,
  sha256DigestSchema,
  type Sha256Digest,
} from '@launch/contracts/primitives';
import { LAUNCH_FAMILIES } from '@launch/contracts/states';
import { z } from 'zod';

/** A launch of any family and its context as SQL returns them: texts undecoded, 64-bit integers as strings. */
export const storedLaunchRow = z.strictObject({
  launchId: z.string(),
  family: z.enum(LAUNCH_FAMILIES),
  lineageId: z.string(),
  controller: addressSchema,
  router: addressSchema,
  nonce: z.string(),
  idempotencyKey: z.string(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  artifactHash: bytes32Schema,
  onchainLaunchId: bytes32Schema,
  contextHash: bytes32Schema,
  contextDocument: z.string(),
  validAfter: z.string(),
  deadline: z.string(),
  imageSha256: sha256DigestSchema,
  status: z.string(),
  statusReason: z.string().nullable(),
  assessment: z.string().nullable(),
  findings: z.string(),
  handoffSha256: sha256DigestSchema.nullable(),
  handoff: z.string().nullable(),
  transactionHash: bytes32Schema.nullable(),
  evidenceSha256: sha256DigestSchema.nullable(),
  finality: z.string().nullable(),
  failure: z.string().nullable(),
  summary: z.string().nullable(),
  /** Whether its record is in a feed, or failed its own verification. */
  publication: z.enum(['not_published', 'published', 'quarantined']),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type StoredLaunch = Readonly<z.output<typeof storedLaunchRow>>;

/** The columns of a `StoredLaunch`, from `LAUNCH_AND_CONTEXT`; the launch is `l`. */
export const LAUNCH_COLUMNS = `l.launch_id AS "launchId", l.family, l.lineage_id AS "lineageId", l.controller, l.router, l.nonce, l.idempotency_key AS "idempotencyKey",
    l.request_sha256 AS "requestSha256", l.request_hash AS "requestHash", l.artifact_hash AS "artifactHash",
    l.onchain_launch_id AS "onchainLaunchId", l.context_hash AS "contextHash", c.document AS "contextDocument",
    l.valid_after AS "validAfter", l.deadline, l.image_sha256 AS "imageSha256", l.status, l.status_reason AS "statusReason",
    l.assessment, l.findings, l.handoff_sha256 AS "handoffSha256", l.handoff, l.transaction_hash AS "transactionHash", l.evidence_sha256 AS "evidenceSha256",
    l.finality, l.failure, l.summary,
    CASE WHEN l.status <> 'finalized' THEN 'not_published'
      WHEN EXISTS (SELECT FROM finalized_record f WHERE f.launch_id = l.launch_id) THEN 'published'
      WHEN EXISTS (SELECT FROM quarantined_record q WHERE q.launch_id = l.launch_id) THEN 'quarantined'
      ELSE 'not_published' END AS publication,
    l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;
export const LAUNCH_AND_CONTEXT = 'launch l JOIN release_context c USING (context_hash)';

const encoder = new TextEncoder();

export const digestOrNull = (text: string | null): Sha256Digest | null => {
  if (text === null || isSha256Digest(text)) return text;
  throw new TypeError('the database holds a digest that is none');
};

/** Decodes a stored text. @throws z.ZodError when the database holds a value that this version does not write: an internal fault. */
export const decodedText = <T>(schema: z.ZodType<T>, text: string): T =>
  schema.parse(parseStrictJson(encoder.encode(text)));

/** Decodes a column that may be null. */
export const decodedOrNull = <T>(schema: z.ZodType<T>, text: string | null): T | null =>
  text === null ? null : decodedText(schema, text);
