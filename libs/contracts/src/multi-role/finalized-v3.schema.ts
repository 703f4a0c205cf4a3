import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import { addressSchema, bytes32Schema, decimalSchema } from '../primitives/scalars.schema.js';
import { DERIVED_CONTRACT_FINALITY_V3 } from './finality-generation.js';
import { finalizedComponentSchema, finalizedRecordSchema } from './finalized.schema.js';

/** The proof of one derived contract: its block and the component that created it. */
const derivationSchema = z.strictObject({
  status: z.literal('verified'),
  parent: addressSchema,
  creationNonce: z.number().int().min(1),
  observedAt: z.strictObject({ number: decimalSchema, hash: bytes32Schema }),
});

/** `derivation` is present for scope 1 only. */
const componentV3Schema = z
  .strictObject({ ...finalizedComponentSchema.shape, derivation: derivationSchema.nullable() })
  .refine(
    ({ scope, derivation }) => (scope === 1) === (derivation !== null),
    'exactly derived contracts carry a derivation',
  );

/** The public finalized record of V3: the V2 one with every derived contract explicitly verified. */
export const finalizedRecordV3Schema = z
  .strictObject({
    ...finalizedRecordSchema.shape,
    schemaVersion: z.literal('service.multi-role-finalized-metadata.v3'),
    derivedContractFinality: z.literal(DERIVED_CONTRACT_FINALITY_V3),
    components: z.array(componentV3Schema).min(1).max(80),
  })
  .meta({ id: 'FinalizedRecordV3' });
export type FinalizedRecordV3 = z.infer<typeof finalizedRecordV3Schema>;

export const finalizedListV3Schema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finalized-metadata-list.v3'),
    items: z.array(finalizedRecordV3Schema).max(LIMITS.listMax),
    nextCursor: z.string().max(512).nullable(),
  })
  .meta({ id: 'FinalizedListV3' });
export type FinalizedListV3 = z.infer<typeof finalizedListV3Schema>;

/** The record of either generation; `schemaVersion` distinguishes them. */
export const anyFinalizedRecordSchema = z.discriminatedUnion('schemaVersion', [
  finalizedRecordSchema,
  finalizedRecordV3Schema,
]);
export type AnyFinalizedRecord = z.infer<typeof anyFinalizedRecordSchema>;
