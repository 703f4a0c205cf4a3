import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  hexBytesSchema,
  sha256DigestSchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { l1CheckpointSchema, l1PostingSchema, l2InclusionSchema } from './finality-parts.schema.js';

export const EVIDENCE_LIMITS = {
  /** Bytes of the bundle's canonical JSON. */
  bytes: 16 * 1024 * 1024,
  exchanges: 4_096,
  /** Headers that link the posting's block to the checkpoint: about an hour of Ethereum. */
  ancestryHeaders: 320,
  proofNodes: 64,
  /** Bytes of one transaction or receipt in a proof; a longer one is not proven. */
  provenBytes: 1024 * 1024,
  accounts: 96,
} as const;

/** One call to one observer and its outcome: the node's own `result`, or the code of the failure. */
const exchangeSchema = z.strictObject({
  observer: slugSchema,
  chainId: z.union([z.literal(1), z.literal(4663)]),
  method: z.string().regex(/^eth_[A-Za-z]{1,40}$/),
  params: z.array(z.unknown()).max(8),
  at: timestampSchema,
  answer: z.union([z.strictObject({ result: z.unknown() }), z.strictObject({ error: z.string().max(64) })]),
});
export type EvidenceExchange = z.infer<typeof exchangeSchema>;

const headerRlp = hexBytesSchema(4_096);
/** RLP of Merkle-Patricia nodes, from the root down. */
const nodes = z
  // A leaf contains the item, its key and the lengths of both.
  .array(hexBytesSchema(EVIDENCE_LIMITS.provenBytes + 1_024))
  .min(1)
  .max(EVIDENCE_LIMITS.proofNodes);

/**
 * The reason why a proof is missing: a method that the nodes lack, a transaction type that cannot be rebuilt, or too
 * many blocks.
 */
const unavailableProofSchema = z.strictObject({ kind: z.literal('unavailable'), reason: z.string().min(1).max(128) });

/** A transaction and its receipt in a block: consensus bytes, and the trie nodes from the header's roots to them. */
const transactionProofSchema = z.strictObject({
  kind: z.literal('proof'),
  header: headerRlp,
  transactionIndex: z.number().int().nonnegative(),
  transaction: hexBytesSchema(EVIDENCE_LIMITS.provenBytes),
  /**
   * Null if another transaction of the block has a type that cannot be rebuilt, so the trie cannot be rebuilt either.
   */
  transactionNodes: nodes.nullable(),
  receipt: hexBytesSchema(EVIDENCE_LIMITS.provenBytes),
  receiptNodes: nodes,
});
export type TransactionProof = z.infer<typeof transactionProofSchema>;

/**
 * Headers from the child of the posting block to the checkpoint, oldest first; they prove that the posting block is an
 * ancestor of the checkpoint.
 */
const ancestryProofSchema = z.strictObject({
  kind: z.literal('proof'),
  headers: z.array(headerRlp).max(EVIDENCE_LIMITS.ancestryHeaders),
});
export type AncestryProof = z.infer<typeof ancestryProofSchema>;

/** State at the launch's own block: the router's stamp and the code hash of every stamped account. */
const stateProofSchema = z.strictObject({
  kind: z.literal('proof'),
  router: z.strictObject({ accountNodes: nodes, stampProofNodes: nodes }),
  accounts: z
    .array(z.strictObject({ account: addressSchema, nodes }))
    .min(1)
    .max(EVIDENCE_LIMITS.accounts),
});
export type StateProof = z.infer<typeof stateProofSchema>;

/** State at a deploy step's own block: the code hash of the router and of the component. */
const codeProofSchema = z.strictObject({
  kind: z.literal('code-proof'),
  router: z.strictObject({ account: addressSchema, nodes }),
  component: z.strictObject({ account: addressSchema, nodes }),
});
export type CodeProof = z.infer<typeof codeProofSchema>;

const proofsSchema = z.strictObject({
  /** The launch in its L2 block. */
  inclusion: z.discriminatedUnion('kind', [transactionProofSchema, unavailableProofSchema]),
  /** The batch in its L1 block. */
  posting: z.discriminatedUnion('kind', [transactionProofSchema, unavailableProofSchema]),
  ancestry: z.discriminatedUnion('kind', [ancestryProofSchema, unavailableProofSchema]),
  state: z.discriminatedUnion('kind', [stateProofSchema, unavailableProofSchema]),
});
export type FinalityProofs = z.infer<typeof proofsSchema>;

/** The proofs of one step of a plan. */
export const stepProofsSchema = z.strictObject({
  ...proofsSchema.shape,
  state: z.discriminatedUnion('kind', [stateProofSchema, codeProofSchema, unavailableProofSchema]),
});
export type StepProofs = z.infer<typeof stepProofsSchema>;

/**
 * Returns the members of an evidence bundle: the signed parts, the answers of both observers of both chains, the
 * conclusion, and the proofs that need no observer. Canonical JSON, addressed by its SHA-256; `launch-verify evidence`
 * checks it again offline.
 * @param context the schema of the launch's own context, bound by `contextHash`
 * @param handoff the schema of the wallet hand-off, bound by `handoffSha256`
 */
export const finalityEvidenceMembers = <Version extends string, Context extends z.ZodType, Handoff extends z.ZodType>(
  schemaVersion: Version,
  context: Context,
  handoff: Handoff,
) => ({
  schemaVersion: z.literal(schemaVersion),
  launch: z.strictObject({
    launchId: uuidSchema,
    onchainLaunchId: bytes32Schema,
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    contextHash: bytes32Schema,
    artifactHash: bytes32Schema,
    permitDigest: bytes32Schema,
    handoffSha256: sha256DigestSchema,
  }),
  /** The policy that the observation followed; the context names the same policy. */
  finalityPolicyId: z.string().min(1).max(128),
  context,
  handoff,
  /** Only `finalized` is about an existing launch; the other outcomes describe how a request ended without one. */
  outcome: z.enum(['finalized', 'reverted_finalized', 'expired']),
  conclusion: z.strictObject({
    transactionHash: bytes32Schema.nullable(),
    inclusion: l2InclusionSchema.omit({ observers: true }).nullable(),
    posting: l1PostingSchema.omit({ observers: true }).nullable(),
    checkpoint: l1CheckpointSchema.omit({ observers: true, common: true }).nullable(),
  }),
  observedAt: timestampSchema,
  /** In the order of the calls; replaying them in this order repeats the observation. */
  exchanges: z.array(exchangeSchema).max(EVIDENCE_LIMITS.exchanges),
  /** Null for an outcome other than `finalized`. */
  proofs: proofsSchema.nullable(),
});
