import { z } from 'zod';
import { ERROR_CODES } from '../errors/catalogue.js';
import { findingSchema } from '../validation/finding.schema.js';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uint256Schema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { contextSchema } from './context.schema.js';
import { DISPOSITIONS, sourceAssessmentMembers } from '../launch/admission-parts.schema.js';
import { sitePageMembers } from '../launch/site-pages.schema.js';
import { handoffUrlSchema } from '../launch/wallet-transaction.schema.js';
import { permitWindowSchema } from '../launch/permit-window.schema.js';
import { anyFinalityStatusSchema } from './finality-v3.schema.js';
import { LAUNCH_STATUSES } from '../states/multi-role-states.js';
import { walletHandoffSchema } from './wallet-handoff.schema.js';

const findingCodesSchema = z.array(z.enum(ERROR_CODES)).max(64);

export const sourceAssessmentSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-source-assessment.v2'),
    disposition: z.enum(DISPOSITIONS),
    findingCodes: findingCodesSchema,
    ...sourceAssessmentMembers,
  })
  .meta({ id: 'SourceAssessment' });
export type SourceAssessment = z.infer<typeof sourceAssessmentSchema>;

export const launchResourceSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-launch-resource.v2'),
    launchId: uuidSchema,
    status: z.enum(LAUNCH_STATUSES),
    statusReason: z.string().max(256).nullable(),
    context: contextSchema,
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    artifactHash: bytes32Schema,
    idempotencyKey: z.string(),
    launchWallet: addressSchema,
    nonce: uint256Schema,
    permitWindow: permitWindowSchema,
    onchainLaunchId: bytes32Schema,
    contextHash: bytes32Schema,
    sourceAssessment: sourceAssessmentSchema.nullable(),
    findings: z.array(findingSchema).max(LIMITS.findings),
    wallet: walletHandoffSchema.nullable(),
    finality: anyFinalityStatusSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    statusUrl: z.string(),
    ...sitePageMembers,
  })
  .meta({ id: 'LaunchResource' });
export type LaunchResource = z.infer<typeof launchResourceSchema>;

/** A launch in a list: without its hand-off, which `handoffUrl` links (docs/reference/api-conventions.md#list-items). */
export const launchListItemSchema = launchResourceSchema
  .omit({ wallet: true })
  .extend({ schemaVersion: z.literal('service.multi-role-launch-list-item.v2'), handoffUrl: handoffUrlSchema })
  .meta({ id: 'LaunchListItem' });
export type LaunchListItem = z.infer<typeof launchListItemSchema>;

export const launchListSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-launch-list.v2'),
    items: z.array(launchListItemSchema).max(LIMITS.listMax),
    nextCursor: z.string().max(512).nullable(),
  })
  .meta({ id: 'LaunchList' });
export type LaunchList = z.infer<typeof launchListSchema>;

/** `POST /preflight`: synchronous source evaluation; nothing reserved, signed, produced or broadcast. */
export const preflightResultSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-custom-launch-preflight.v2'),
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    source: z.strictObject({
      disposition: z.enum(DISPOSITIONS),
      findingCodes: findingCodesSchema,
      receipt: z.strictObject({
        kind: z.literal('preflight'),
        requestHash: bytes32Schema,
        contextHash: bytes32Schema,
        economicsHash: bytes32Schema.nullable(),
        receiptHash: sha256DigestSchema,
      }),
      remediation: z.string().max(1024).nullable(),
    }),
    findings: z.array(findingSchema).max(LIMITS.findings),
    readiness: z.literal('independent-admission-required'),
    permitSigned: z.literal(false),
    walletTransactionProduced: z.literal(false),
    transactionBroadcast: z.literal(false),
  })
  .meta({ id: 'PreflightResult' });
export type PreflightResult = z.infer<typeof preflightResultSchema>;
