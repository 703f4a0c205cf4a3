import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import { REMEDIATION_ACTIONS } from '../errors/catalogue.js';
import { LIMITS } from '../primitives/limits.js';
import {
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  slugSchema,
  uint256Schema,
} from '../primitives/scalars.schema.js';
import { checkpointSchema } from './custom-launch-body.schema.js';
import { customLaunchFindingSchema } from './custom-launch-finding.schema.js';

/**
 * Classifications of a preflight, the worst first (docs/reference/custom-launch.md#preflight-classification). Only the
 * last one is ready for create. `unsupported`: outside the profile, regardless of evidence. `correction_required`: a
 * corrected request removes it. `needs_evidence`: no reviewed template or proof. `build_only`: the request can be
 * prepared, but cannot get a permit.
 */
export const CLASSIFICATIONS = [
  'unsupported',
  'correction_required',
  'needs_evidence',
  'build_only',
  'deployable',
] as const;
export type Classification = (typeof CLASSIFICATIONS)[number];

const checkSchema = z.strictObject({
  checkId: slugSchema,
  /**
   * `not_run`: the check needs the result of one that did not pass. `indeterminate`: the result could not be
   * determined.
   */
  outcome: z.enum(['pass', 'fail', 'not_run', 'indeterminate']),
  dependsOn: z.array(slugSchema).max(32),
});

export const launchEligibilitySchema = z.strictObject({
  /** True exactly when `disposition` is `deployable`; no authorization. */
  deployable: z.boolean(),
  disposition: z.enum(CLASSIFICATIONS),
  findings: z.array(customLaunchFindingSchema).max(LIMITS.findings),
  /** The remediation actions, each once. */
  remediation: z
    .array(
      z.strictObject({
        code: z.enum(CUSTOM_LAUNCH_CODES),
        action: z.enum(REMEDIATION_ACTIONS),
        detail: z.string().max(1024),
      }),
    )
    .max(LIMITS.findings),
});
export type LaunchEligibility = z.infer<typeof launchEligibilitySchema>;

/** Members of both preflights. A preflight reads a checkpoint; it rehearses and stores nothing. */
export const preflightMembers = {
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  launchEligibility: launchEligibilitySchema,
  /** Every check that was made, in order. */
  checks: z.array(checkSchema).max(64),
  /** Costs in wei. The value includes the buy; gas is separate and null before a simulation. */
  budgets: z.strictObject({
    valueWei: uint256Schema,
    gasUpperBoundWei: decimalSchema.nullable(),
    l1DataGasWei: decimalSchema.nullable(),
  }),
  checkpoint: checkpointSchema,
  warnings: z.array(z.strictObject({ code: z.literal('TX_SIMULATION_PENDING') })).max(1),
  persisted: z.literal(false),
} as const;
