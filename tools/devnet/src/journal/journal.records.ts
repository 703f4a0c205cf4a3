import { z } from 'zod';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)]);
const bytes = z.templateLiteral(['0x', z.string().regex(/^([0-9a-f]{2})*$/)]);
const chain = z.enum(['1', '4663']);
const blockNumber = z.int().min(0);
const unixSeconds = z.int().min(0);

/** The execution rules of a chain's blocks. */
const hardforkSchema = z.enum(['cancun', 'prague']);

const account = z.strictObject({
  address,
  /** Decimal. */
  wei: z.string().regex(/^(0|[1-9][0-9]{0,30})$/),
  code: bytes.optional(),
});

/** The beginning of both chains. Together with the blocks it determines every state. */
const genesisRecord = z.strictObject({
  kind: z.literal('genesis'),
  schemaVersion: z.literal('launch.devnet-journal.v1'),
  timestamp: unixSeconds,
  /** Wei. Gives chains that begin in the same second different genesis blocks. */
  baseFee: z.int().min(1_000_000_000).max(2_000_000_000),
  /** Absent in journals that began before there was a choice: `prague` on chain 1, `cancun` on chain 4663. */
  hardforks: z.strictObject({ '1': hardforkSchema, '4663': hardforkSchema }).optional(),
  accounts: z.strictObject({ '1': z.array(account).max(64), '4663': z.array(account).max(64) }),
  /** The owners of the keys that these chains know; the keys themselves are separate files. */
  keys: z.strictObject({
    controller: address,
    owner: address,
    batchPoster: address,
    platformFeeRecipient: address,
    permitAuthority: address,
  }),
});

/** Hashes of both genesis blocks, recorded when they were first made. */
const originRecord = z.strictObject({ kind: z.literal('origin'), hashes: z.strictObject({ '1': hash, '4663': hash }) });

const deployedRecord = z.strictObject({
  kind: z.literal('deployed'),
  id: z.string().min(1).max(64),
  contracts: z.record(
    z.string().min(1).max(64),
    z.strictObject({ address, runtimeCodeHash: hash, startBlock: blockNumber }),
  ),
});

const blockRecord = z.strictObject({
  kind: z.literal('block'),
  chain,
  number: blockNumber,
  hash,
  timestamp: unixSeconds,
  /** Absent: the zero address. */
  coinbase: address.optional(),
  /** Signed transactions in the order of the block. Absent: none. */
  transactions: z.array(bytes).min(1).optional(),
});

/** A change of state outside any transaction, made while `after` was the newest block. */
const commandRecord = z.strictObject({
  kind: z.literal('command'),
  chain,
  after: blockNumber,
  method: z.enum(['anvil_setBalance', 'anvil_setCode', 'anvil_setNonce', 'anvil_setStorageAt']),
  params: z.array(z.string()).min(2).max(3),
});

/** Removes the blocks above `to`. */
const rollbackRecord = z.strictObject({ kind: z.literal('rollback'), chain, to: blockNumber });

/** One line of the journal. */
export const journalRecordSchema = z.discriminatedUnion('kind', [
  genesisRecord,
  originRecord,
  deployedRecord,
  blockRecord,
  commandRecord,
  rollbackRecord,
]);

export type Hardfork = z.output<typeof hardforkSchema>;
export type JournalRecord = z.output<typeof journalRecordSchema>;
export type GenesisRecord = z.output<typeof genesisRecord>;
export type DeployedRecord = z.output<typeof deployedRecord>;
export type BlockRecord = z.output<typeof blockRecord>;
export type CommandRecord = z.output<typeof commandRecord>;
