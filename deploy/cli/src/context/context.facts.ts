import { FINALITY_RULES } from '@launch/chain';
import { usdFeedSchema } from '@launch/contracts/launch';
import { ETHEREUM_FINALITY_V1 } from '@launch/contracts/multi-role';
import { addressSchema, decimalSchema } from '@launch/contracts/primitives';
import { CUSTOM_LAUNCH_PROFILE_NAMES, FINALITY_NAMES, POLICY_NAMES, SEQUENCER_TRANSACTION_BYTES } from '@launch/evm';
import { z } from 'zod';
import { parseDocument } from '../documents.js';

/** An operator's decisions about a deployment of any family. */
const deploymentFacts = {
  profileId: z.string().min(1).max(128),
  instructionPolicy: z.enum(POLICY_NAMES),
  router: addressSchema,
  poolManager: addressSchema,
  sequencerInbox: addressSchema,
  bridge: addressSchema,
  nodeInterface: addressSchema,
  /** Number of the first L2 block, as message counts of the inbox begin. */
  genesisBlock: decimalSchema,
  platformFeeRecipient: addressSchema,
  permitAuthorities: z.array(addressSchema).min(1).max(8),
  /** Largest transaction the sequencer takes, in bytes. */
  transactionBytes: z.number().int().positive().default(SEQUENCER_TRANSACTION_BYTES),
};

export const multiRoleFactsSchema = z.strictObject({
  ...deploymentFacts,
  /** Finality V3 proves each contract that a launch derives by itself; V2 leaves the field of the context out. */
  finality: z.enum(FINALITY_NAMES).default('v2'),
  /** A rule that this release can judge by: launches under another would never be finalized. */
  finalityPolicyId: z.enum([...FINALITY_RULES.keys()]).default(ETHEREUM_FINALITY_V1),
});

const feedFacts = usdFeedSchema.omit({ runtimeCodeHash: true });

/** Facts of custom launches and plans: `router` is router V1. */
export const customLaunchFactsSchema = z.strictObject({
  family: z.literal('custom-launch'),
  ...deploymentFacts,
  profile: z.enum(CUSTOM_LAUNCH_PROFILE_NAMES).default('4.1'),
  /** The native currency in US dollars: the feed on chain 4663, and the one on Ethereum. */
  l2Feed: feedFacts,
  l1Feed: feedFacts,
  maxDeviationBps: z.number().int().min(1).max(10_000).optional(),
});

export type ContextFacts = z.output<typeof multiRoleFactsSchema> | z.output<typeof customLaunchFactsSchema>;

/** @throws {DeployError} DOCUMENT_INVALID with a line for each wrong fact. */
export function parseContextFacts(value: unknown): ContextFacts {
  const isCustomLaunch = typeof value === 'object' && value !== null && 'family' in value;
  return parseDocument(isCustomLaunch ? customLaunchFactsSchema : multiRoleFactsSchema, value, 'facts');
}
