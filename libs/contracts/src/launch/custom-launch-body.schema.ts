import { z } from 'zod';
import { graphBundleSchema, graphComponentSchema, poolKeySchema } from './graph.schema.js';
import { externalContractSchema, liquidityModelSchema } from './graph.schema.js';
import { permitWindowSchema } from './permit-window.schema.js';
import { attestationSchema, compilerVerificationSchema, projectMetadataSchema, sourceSchema } from './source.schema.js';
import { CAIP2, CHAIN_BASE_PATH } from '../primitives/limits.js';
import type { StatedFault } from '../validation/schema-faults.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  roleMaskSchema,
  uint160Schema,
  uint256Schema,
} from '../primitives/scalars.schema.js';

/** The members of custom-launch and plan bodies (docs/reference/custom-launch.md#request-body). */

/** Scenarios of the public guide that no body can express. */
type UnspeakableScenario = 'combined-token-hook' | 'no-pool' | 'multiple-pools';
const scenarioNote = (scenario: UnspeakableScenario, text: string): string => `${text}; scenario ${scenario}`;

/** Bits of the token and the hook in a role mask. */
const TOKEN_AND_HOOK = 3;

const SEPARATE = scenarioNote(
  'combined-token-hook',
  `token (1) and hook (2) apart: ${CHAIN_BASE_PATH}/multi-role-custom-launches takes a contract that is both`,
);

/** Short enough for `deploy-<componentId>` to be a step's id. */
export const componentIdSchema = z.string().regex(/^[a-z0-9-]{1,57}$/, '1-57 lowercase letters, digits and hyphens');

const componentSchema = z.strictObject({
  ...graphComponentSchema.shape,
  componentId: componentIdSchema,
  roleMask: roleMaskSchema.refine((mask) => (mask & TOKEN_AND_HOOK) !== TOKEN_AND_HOOK, {
    error: SEPARATE,
    params: {
      fault: 'One contract has the token role (1) and the hook role (2), which this API does not launch.',
      remedy:
        `Submit a contract that is token and hook to POST ${CHAIN_BASE_PATH}/multi-role-custom-launches ` +
        '(scenario combined-token-hook), or give the two roles to two contracts.',
    } satisfies StatedFault,
  }),
});

const onePool = (input: unknown): string | undefined => {
  if (input === undefined || input === null) return scenarioNote('no-pool', 'exactly one official pool');
  return Array.isArray(input) ? scenarioNote('multiple-pools', 'exactly one official pool') : undefined;
};

const officialPoolSchema = z.strictObject(
  { poolKey: poolKeySchema, sqrtPriceX96: uint160Schema },
  { error: ({ code, input }) => (code === 'invalid_type' ? onePool(input) : undefined) },
);

const customLaunchGraphSchema = z.strictObject({
  ...graphBundleSchema.shape,
  components: z.array(componentSchema).min(1).max(16),
  officialPool: officialPoolSchema,
});

/** Value of the launch transaction and its parts, in wei and raw token units. The buy includes the platform fee. */
export const customLaunchFundingSchema = z.strictObject({
  kind: z.enum(['atomic-native-buy', 'none']),
  initialBuyWei: uint256Schema,
  minimumTokensOut: uint256Schema,
  liquidityNativeWei: uint256Schema,
  platformFeeWei: uint256Schema,
  totalValueWei: uint256Schema,
});

/** The most that the controller accepts, separately for value and gas. Wei. */
export const budgetsSchema = z.strictObject({ maxLaunchValueWei: uint256Schema, maxGasCostWei: uint256Schema });

/** The L2 block from readiness that the request was packed at. */
export const checkpointSchema = z.strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema });

/** The members of both bodies, except the schema version and the profile. */
export const customLaunchMembers = {
  chainId: z.literal('4663'),
  caip2: z.literal(CAIP2),
  /** keccak-256 of the canonical JSON of a published context. */
  contextHash: bytes32Schema,
  checkpoint: checkpointSchema,
  launchWallet: addressSchema,
  /** Nonce of the controller at router V1. */
  nonce: uint256Schema,
  permitWindow: permitWindowSchema,
  source: sourceSchema,
  externalContracts: z.array(externalContractSchema).max(32),
  graphBundle: customLaunchGraphSchema,
  projectMetadata: projectMetadataSchema,
  compilerVerification: compilerVerificationSchema,
  liquidityModel: liquidityModelSchema,
  funding: customLaunchFundingSchema,
  budgets: budgetsSchema,
  attestation: attestationSchema,
} as const;
