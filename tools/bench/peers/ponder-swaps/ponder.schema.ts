import { onchainTable } from 'ponder';

export { launch } from './launch.schema';

/** A launch's pool, by which trades are identified. */
export const pool = onchainTable('pool', (t) => ({
  id: t.hex().primaryKey(),
  token: t.hex().notNull(),
  poolManager: t.hex().notNull(),
  hook: t.hex().notNull(),
}));

export const swap = onchainTable('swap', (t) => ({
  id: t.text().primaryKey(),
  chainId: t.integer().notNull(),
  tokenAddress: t.hex().notNull(),
  poolId: t.hex().notNull(),
  blockNumber: t.bigint().notNull(),
  blockHash: t.hex().notNull(),
  blockTime: t.bigint().notNull(),
  transactionHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
  caller: t.hex().notNull(),
  amount0: t.bigint().notNull(),
  amount1: t.bigint().notNull(),
  sqrtPriceX96: t.bigint('sqrt_price_x96').notNull(),
  liquidity: t.bigint().notNull(),
  tick: t.integer().notNull(),
  grossQuote: t.bigint(),
  platformQuote: t.bigint(),
  creatorQuote: t.bigint(),
}));
