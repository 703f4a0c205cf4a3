import { onchainTable } from 'ponder';

export const launch = onchainTable('launch', (t) => ({
  id: t.text().primaryKey(),
  tokenAddress: t.hex().notNull(),
  creator: t.hex().notNull(),
  poolManager: t.hex().notNull(),
  poolId: t.hex().notNull(),
  hookAddress: t.hex().notNull(),
  blockNumber: t.bigint().notNull(),
  blockHash: t.hex().notNull(),
  transactionHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
  launchedAt: t.bigint().notNull(),
  name: t.text().notNull(),
  symbol: t.text().notNull(),
  decimals: t.integer().notNull(),
  modulePackageIds: t.json().$type<string[]>().notNull(),
  moduleFamilyIds: t.json().$type<string[]>().notNull(),
  description: t.text().notNull(),
  website: t.text().notNull(),
  imageUrl: t.text().notNull(),
}));
