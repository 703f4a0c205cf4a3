import type { Finding } from '@launch/contracts/errors';
import {
  anyFinalityStatusSchema,
  contextSchema,
  finalityGeneration,
  sourceAssessmentSchema,
  walletHandoffSchema,
  type AnyFinalityStatus,
  type FinalityGeneration,
  type LaunchContext,
  type SourceAssessment,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import { canonicalKeccak, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { LAUNCH_STATUSES, type LaunchStatus } from '@launch/contracts/states';
import { findingSchema } from '@launch/contracts/validation';
import { z } from 'zod';
import { decodedOrNull, decodedText, digestOrNull, type StoredLaunch } from '../../../core/launches/stored-launch.js';

/** A decoded launch row: its text columns are parsed. */
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
  /** The blob of the owner's finality evidence; null before finalization. */
  readonly evidenceSha256: Sha256Digest | null;
  readonly finality: AnyFinalityStatus | null;
  /** The finality generation of the launch's own context, independent of the context that this deployment publishes. */
  readonly generation: FinalityGeneration;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const statusSchema = z.enum(LAUNCH_STATUSES);
const findingsSchema = z.array(findingSchema);
const CONTEXTS_KEPT = 16;
const contexts = new Map<string, LaunchContext>();

/**
 * @throws z.ZodError when the row has a value that this version does not write, which is a fault of the service and
 * not of the client.
 */
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
    assessment: decodedOrNull(sourceAssessmentSchema, row.assessment),
    findings: decodedText(findingsSchema, row.findings),
    handoffSha256: row.handoffSha256,
    handoff: decodedOrNull(walletHandoffSchema, row.handoff),
    evidenceSha256: digestOrNull(row.evidenceSha256),
    finality: decodedOrNull(anyFinalityStatusSchema, row.finality),
    generation: finalityGeneration(context),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Contexts are few and never change under their hash, so parsed ones are kept. */
function contextOf(contextHash: string, document: string): LaunchContext {
  const known = contexts.get(contextHash);
  if (known !== undefined) return known;
  const context = decodedText(contextSchema, document);
  if (canonicalKeccak(context) !== contextHash)
    throw new TypeError(`the stored context is not the one of ${contextHash}`);
  if (contexts.size >= CONTEXTS_KEPT) contexts.clear();
  contexts.set(contextHash, context);
  return context;
}
