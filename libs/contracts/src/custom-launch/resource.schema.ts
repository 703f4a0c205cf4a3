import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import { REMEDIATION_ACTIONS } from '../errors/catalogue.js';
import { namedTransactionSchema, stageFinalitySchema } from '../launch/finality-parts.schema.js';
import { sitePageMembers } from '../launch/site-pages.schema.js';
import {
  handoffSimulationSchema,
  handoffUrlSchema,
  walletTransactionSchema,
} from '../launch/wallet-transaction.schema.js';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  slugSchema,
  timestampSchema,
  unixSecondsSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { budgetsSchema } from '../launch/custom-launch-body.schema.js';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';
import { CUSTOM_LAUNCH_STATUSES } from '../states/custom-launch-states.js';

/** The server's own price reading that custody signed the permit by. */
const readUsdReferenceSchema = z.strictObject({ oneUsdReferenceWei: decimalSchema, readAt: timestampSchema });

/**
 * The exact transaction that the controller's wallet is asked to send, with everything the controller checks before
 * signing (docs/reference/custom-launch.md#hand-off): metadata, chain, sender, router, value, calldata, expiry. Its
 * bytes never change.
 */
export const customLaunchHandoffSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-wallet-handoff.v4'),
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    contextHash: bytes32Schema,
    artifactHash: bytes32Schema,
    permitDigest: bytes32Schema,
    metadata: z.strictObject({
      name: z.string().min(1).max(64),
      symbol: z.string().min(1).max(16),
      imageSha256: sha256DigestSchema,
    }),
    validAfter: unixSecondsSchema,
    deadline: unixSecondsSchema,
    /** `deadline` as a timestamp. */
    expiresAt: timestampSchema,
    createdAt: timestampSchema,
    simulation: handoffSimulationSchema,
    /** Null under profile 4.0, which has no initial buy. */
    usdReference: readUsdReferenceSchema.nullable(),
    walletTransaction: walletTransactionSchema,
  })
  .meta({ id: 'CustomLaunchHandoff' });
export type CustomLaunchHandoff = z.infer<typeof customLaunchHandoffSchema>;

/**
 * The reason why a launch failed, bound to its evidence, and the remediation: a new request, never the same transaction
 * again.
 */
export const customLaunchFailureSchema = z.strictObject({
  code: z.enum(CUSTOM_LAUNCH_CODES),
  stage: z.enum(CUSTOM_LAUNCH_STATUSES),
  /** Digest of the evidence bundle; null if nothing was judged on chain. */
  evidence: sha256DigestSchema.nullable(),
  recovery: z.strictObject({ action: z.enum(REMEDIATION_ACTIONS), detail: z.string().max(1024) }),
});

export type CustomLaunchFailure = z.infer<typeof customLaunchFailureSchema>;

/** `GET /custom-launches/{launchId}`. Source verification, publication and finality are separate facts. */
export const customLaunchResourceSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-resource.v4'),
    launchId: uuidSchema.describe(
      'The id to read the launch. It is neither the requestId for support nor the 32-byte on-chain id.',
    ),
    profile: z
      .enum(['4.1.0', '4.0.0'])
      .describe('The profile of the request, which can differ from the profile that the deployment publishes now.'),
    status: z
      .enum(CUSTOM_LAUNCH_STATUSES)
      .describe(
        'awaiting_wallet_signature: the wallet can send the transaction in `handoff`. wallet_action_required: something prevents the wallet from sending it. submitted, sequencer_soft_confirmed and ethereum_posted are reversible. Only finalized satisfies the finality policy. action_required and failed are final.',
      ),
    statusReason: z.string().max(256).nullable(),
    launchWallet: addressSchema,
    requestSha256: sha256DigestSchema,
    onchainLaunchId: bytes32Schema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    expiresAt: timestampSchema,
    findings: z.array(customLaunchFindingSchema).max(LIMITS.findings),
    budgets: budgetsSchema,
    handoff: customLaunchHandoffSchema
      .nullable()
      .describe(
        'The exact transaction that launchWallet sends. Null before authorization, for a key that cannot read it, and after the permit window ended without an inclusion.',
      ),
    transactions: z.array(namedTransactionSchema).max(LIMITS.hintsPerLaunch + 4),
    finality: z.strictObject({
      ...stageFinalitySchema.shape,
      observation: z
        .strictObject({
          status: z.enum(['agreed', 'indeterminate']),
          reason: z.string().max(256).nullable(),
          at: timestampSchema,
        })
        .nullable(),
    }),
    sourceVerification: z.strictObject({
      status: z.enum(['pending', 'verified', 'not_verified']),
      components: z
        .array(
          z.strictObject({
            componentId: slugSchema,
            account: addressSchema,
            runtimeCodeHash: bytes32Schema,
            status: z.enum(['pending', 'verified', 'not_verified']),
          }),
        )
        .max(16),
    }),
    publication: z.strictObject({ status: z.enum(['not_published', 'published', 'quarantined']) }),
    failure: customLaunchFailureSchema.nullable(),
    links: z.strictObject({ self: z.string(), statusUrl: z.string() }),
    ...sitePageMembers,
  })
  .meta({ id: 'CustomLaunchResource' });
export type CustomLaunchResource = z.infer<typeof customLaunchResourceSchema>;

/** A launch in a list: without its hand-off, which `handoffUrl` links (docs/reference/api-conventions.md#list-items). */
export const customLaunchListItemSchema = customLaunchResourceSchema
  .omit({ handoff: true })
  .extend({ schemaVersion: z.literal('service.custom-launch-list-item.v4'), handoffUrl: handoffUrlSchema })
  .meta({ id: 'CustomLaunchListItem' });
export type CustomLaunchListItem = z.infer<typeof customLaunchListItemSchema>;

/** `GET /custom-launches`: newest first. */
export const customLaunchListSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-list.v4'),
    items: z.array(customLaunchListItemSchema).max(LIMITS.listMax),
    nextCursor: z.string().max(512).nullable(),
  })
  .meta({ id: 'CustomLaunchList' });
export type CustomLaunchList = z.infer<typeof customLaunchListSchema>;
