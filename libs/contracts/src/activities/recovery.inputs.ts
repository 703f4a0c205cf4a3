import { z } from 'zod';
import { addressSchema, bytes32Schema, decimalSchema } from '../primitives/scalars.schema.js';
import { reasonSchema } from './launch.inputs.js';

/** The most stamps that one search returns; a later search continues after them. */
const MAX_STAMPS = 10_000;

const blockSchema = z.strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema }).nullable();

export const scanStampsSchema = z.strictObject({
  router: addressSchema,
  fromBlock: decimalSchema.nullable(),
  head: blockSchema,
  reason: reasonSchema.nullable(),
});
export const checkpointMoveSchema = z.strictObject({
  router: addressSchema,
  before: blockSchema,
  through: blockSchema,
});
export const foundStampsSchema = z.strictObject({
  router: addressSchema,
  stamps: z.array(z.strictObject({ onchainLaunchId: bytes32Schema, transactionHash: bytes32Schema })).max(MAX_STAMPS),
});
export const recoveryReportSchema = z.strictObject({
  router: addressSchema,
  checkpoint: blockSchema,
  head: blockSchema,
  observation: z.enum(['agreed', 'indeterminate']),
  reason: reasonSchema.nullable(),
});
