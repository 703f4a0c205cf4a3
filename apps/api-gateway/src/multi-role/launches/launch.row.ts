import {
  anyFinalityStatusSchema,
  canonicalKeccak,
  contextSchema,
  finalityGeneration,
  findingSchema,
  LAUNCH_STATUSES,
  sourceAssessmentSchema,
  walletHandoffSchema,
  type AnyFinalityStatus,
  type FinalityGeneration,
  type Finding,
  type LaunchContext,
  type LaunchStatus,
  type SourceAssessment,
  type WalletHandoff,
  type Hex,
  isSha256Digest,
  type Sha256Digest,
} from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import { z } from 'zod';

/** A launch's row, decoded: text columns are parsed before anybody uses them. */
export interface LaunchRow {
  readonly launchId: string;
  readonly lineageId: string;
  readonly controller: Hex;
  readonly router: Hex;
  readonly nonce: string;
  readonly idempotencyKey: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
  readonly contextHash: Hex;
  readonly context: LaunchContext;
  readonly validAfter: bigint;
  readonly deadline: bigint;
  readonly imageSha256: Sha256Digest;
  readonly status: LaunchStatus;
  readonly statusReason: string | null;
  readonly assessment: SourceAssessment | null;
  readonly findings: readonly Finding[];
  readonly handoffSha256: Sha256Digest | null;
  readonly handoff: WalletHandoff | null;
  /** Blob of the owner's finality evidence; null before finalization. */
  readonly evidenceSha256: Sha256Digest | null;
  readonly finality: AnyFinalityStatus | null;
  /** By the launch's own context, whatever this deployment publishes now. */
  readonly generation: FinalityGeneration;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A launch and its context as SQL answers them: texts undecoded, 64-bit integers as strings. */
export interface StoredLaunch {
  readonly launchId: string;
  readonly lineageId: string;
  readonly controller: Hex;
  readonly router: Hex;
  readonly nonce: string;
  readonly idempotencyKey: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
  readonly contextHash: Hex;
  readonly contextDocument: string;
  readonly validAfter: string;
  readonly deadline: string;
  readonly imageSha256: Sha256Digest;
  readonly status: string;
  readonly statusReason: string | null;
  readonly assessment: string | null;
  readonly findings: string;
  readonly handoffSha256: Sha256Digest | null;
  readonly handoff: string | null;
  readonly evidenceSha256: Sha256Digest | null;
  readonly finality: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly [column: string]: unknown;
}

/** The columns of a `StoredLaunch`, from `LAUNCH_AND_CONTEXT`; the launch is `l`. */
export const LAUNCH_COLUMNS = `l.launch_id AS "launchId", l.lineage_id AS "lineageId", l.controller, l.router, l.nonce, l.idempotency_key AS "idempotencyKey",
    l.request_sha256 AS "requestSha256", l.request_hash AS "requestHash", l.artifact_hash AS "artifactHash",
    l.onchain_launch_id AS "onchainLaunchId", l.context_hash AS "contextHash", c.document AS "contextDocument",
    l.valid_after AS "validAfter", l.deadline, l.image_sha256 AS "imageSha256", l.status, l.status_reason AS "statusReason",
    l.assessment, l.findings, l.handoff_sha256 AS "handoffSha256", l.handoff, l.evidence_sha256 AS "evidenceSha256", l.finality, l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;
export const LAUNCH_AND_CONTEXT = 'launch l JOIN release_context c USING (context_hash)';

const statusSchema = z.enum(LAUNCH_STATUSES);
const findingsSchema = z.array(findingSchema);
const encoder = new TextEncoder();
const CONTEXTS_KEPT = 16;
const contexts = new Map<string, LaunchContext>();

const json = (text: string): unknown => parseStrictJson(encoder.encode(text));
const digestOrNull = (text: string | null): Sha256Digest | null => {
  if (text === null || isSha256Digest(text)) return text;
  throw new TypeError('the database holds a digest that is none');
};
const decoded = <T>(schema: z.ZodType<T>, text: string | null): T | null =>
  text === null ? null : schema.parse(json(text));

/** @throws z.ZodError when the database holds what this version does not write: a fault, not a client's. */
export function decodeLaunch(row: StoredLaunch): LaunchRow {
  const context = contextOf(row.contextHash, row.contextDocument);
  return {
    launchId: row.launchId,
    lineageId: row.lineageId,
    controller: row.controller,
    router: row.router,
    nonce: row.nonce,
    idempotencyKey: row.idempotencyKey,
    requestSha256: row.requestSha256,
    requestHash: row.requestHash,
    artifactHash: row.artifactHash,
    onchainLaunchId: row.onchainLaunchId,
    contextHash: row.contextHash,
    context,
    validAfter: BigInt(row.validAfter),
    deadline: BigInt(row.deadline),
    imageSha256: row.imageSha256,
    status: statusSchema.parse(row.status),
    statusReason: row.statusReason,
    assessment: decoded(sourceAssessmentSchema, row.assessment),
    findings: findingsSchema.parse(json(row.findings)),
    handoffSha256: row.handoffSha256,
    handoff: decoded(walletHandoffSchema, row.handoff),
    evidenceSha256: digestOrNull(row.evidenceSha256),
    finality: decoded(anyFinalityStatusSchema, row.finality),
    generation: finalityGeneration(context),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Contexts are few and never change under their hash. */
function contextOf(contextHash: string, document: string): LaunchContext {
  const known = contexts.get(contextHash);
  if (known !== undefined) return known;
  const context = contextSchema.parse(json(document));
  if (canonicalKeccak(context) !== contextHash)
    throw new TypeError(`the stored context is not the one of ${contextHash}`);
  if (contexts.size >= CONTEXTS_KEPT) contexts.clear();
  contexts.set(contextHash, context);
  return context;
}
