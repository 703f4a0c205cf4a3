import {
  FOUNDATION_FACTORY_VERSIONS,
  indexDeploymentSchema,
  MAX_INDEX_SOURCES,
  SOURCE_STATUSES,
} from '@launch/contracts/index';
import { addressSchema, decimalSchema, sourceCommitSchema } from '@launch/contracts/primitives';
import { adapterOf } from '@launch/evm/sources';
import { z } from 'zod';
import { parseDocument } from '../documents.js';

const sourceFacts = z
  .strictObject({
    sourceVersion: z
      .string()
      .refine((version) => adapterOf(version) !== null, { message: 'this release has no adapter for it' }),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    /** The contract whose events are launches: launcher, engine, factory or router. */
    address: addressSchema,
    /** The block of its deployment. */
    startBlock: decimalSchema,
    /** The last block that counts, inclusive; null for a source that continues. */
    endBlock: decimalSchema.nullable().default(null),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable().default(null),
    /** The other contracts that its checks need, by name. */
    contracts: z.record(z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/), addressSchema),
    status: z.enum(SOURCE_STATUSES).default('active'),
    /** The commit whose sources the contract was compiled from. */
    sourceCommit: sourceCommitSchema,
  })
  .refine(({ startBlock, endBlock }) => endBlock === null || BigInt(endBlock) >= BigInt(startBlock), {
    path: ['endBlock'],
    message: 'is before startBlock',
  });

const indexFactsSchema = z.strictObject({
  /** The profile of every binding, such as `production`. */
  profile: z.string().min(1).max(64),
  /** The rollup of chain 4663 on Ethereum. */
  rollup: indexDeploymentSchema.shape.rollup,
  sources: z.array(sourceFacts).min(1).max(MAX_INDEX_SOURCES),
});
export type IndexFacts = z.output<typeof indexFactsSchema>;

/** @throws {DeployError} DOCUMENT_INVALID with a line for each wrong fact. */
export const parseIndexFacts = (value: unknown): IndexFacts => parseDocument(indexFactsSchema, value, 'facts');
