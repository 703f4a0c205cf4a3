import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  roleMaskSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { observersSchema } from '../launch/finality-parts.schema.js';
import { finalityStatusSchema } from './finality.schema.js';
import { DERIVED_CONTRACT_FINALITY_V3 } from './finality-generation.js';

/** The CREATE nonce of a contract's parent; contracts begin at 1. */
const creationNonceSchema = z.number().int().min(1);

/**
 * The answer of both L2 observers about one derived contract at the launch's own block, which a finalized batch
 * contains.
 */
export const derivedContractProofSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  /** Hash of the code at the address. */
  runtimeCodeHash: bytes32Schema,
  /** The router's own record of the account: role mask, runtime hash, scope 1 and index, hashed. */
  componentProof: bytes32Schema,
  /** The account had no code in the preceding block. */
  codeBefore: z.literal('none'),
  observers: observersSchema,
});
export type DerivedContractProof = z.infer<typeof derivedContractProofSchema>;

/** A child that a component's constructor creates: scope 1 of the stamp. Each has its own proof item. */
export const derivedContractSchema = z
  .strictObject({
    account: addressSchema,
    roleMask: roleMaskSchema,
    runtimeCodeHash: bytes32Schema,
    /** Position among the launch's children. */
    resultIndex: z.number().int().nonnegative(),
    /** The component that creates it. */
    parent: addressSchema,
    /**
     * The CREATE nonce of the parent that gives this address; null if none does, and then the launch never becomes
     * final.
     */
    creationNonce: creationNonceSchema.nullable(),
    /** Null until the account is proven. */
    proof: derivedContractProofSchema.nullable(),
  })
  .meta({ id: 'DerivedContract' });
export type DerivedContract = z.infer<typeof derivedContractSchema>;

export const NEXT_STAGES = ['included', 'posted', 'ethereum_finalized'] as const;

/**
 * The V3 finality projection: the V2 one, bound to context and on-chain id, with a proof item for each derived
 * contract. `ethereum_finalized` is reached only with all of them proven.
 */
export const finalityStatusV3Schema = z
  .strictObject({
    ...finalityStatusSchema.shape,
    schemaVersion: z.literal('service.multi-role-finality-status.v3'),
    policy: z.literal(DERIVED_CONTRACT_FINALITY_V3),
    contextHash: bytes32Schema,
    onchainLaunchId: bytes32Schema,
    /** The stage that `estimatedNextStageAt` estimates; null at an end. */
    nextStage: z.enum(NEXT_STAGES).nullable(),
    /** Null before the first observation. */
    derivedContracts: z.array(derivedContractSchema).max(32).nullable(),
  })
  .refine(
    ({ state, derivedContracts }) =>
      state !== 'ethereum_finalized' ||
      (derivedContracts !== null && derivedContracts.every(({ proof }) => proof !== null)),
    'every derived contract is proven before ethereum_finalized',
  )
  .meta({ id: 'FinalityStatusV3' });
export type FinalityStatusV3 = z.infer<typeof finalityStatusV3Schema>;

/** The projection of either generation; `schemaVersion` distinguishes them. */
export const anyFinalityStatusSchema = z.discriminatedUnion('schemaVersion', [
  finalityStatusSchema,
  finalityStatusV3Schema,
]);
export type AnyFinalityStatus = z.infer<typeof anyFinalityStatusSchema>;

/** `POST /{launchId}/transaction-hints-v3`: a discovery aid without authority. */
export const transactionHintV3Schema = z
  .strictObject({ schemaVersion: z.literal('service.multi-role-transaction-hint.v3'), transactionHash: bytes32Schema })
  .meta({ id: 'TransactionHintV3' });

export const transactionHintReceiptV3Schema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-transaction-hint-receipt.v3'),
    launchId: uuidSchema,
    contextHash: bytes32Schema,
    transactionHash: bytes32Schema,
    registeredAt: timestampSchema,
    assertsInclusion: z.literal(false),
    statusUrl: z.string(),
  })
  .meta({ id: 'TransactionHintReceiptV3' });
export type TransactionHintReceiptV3 = z.infer<typeof transactionHintReceiptV3Schema>;
