import type { Client } from 'pg';
import { PONDER_SCHEMA, tableCount } from './launched-rows.js';

/** A trade as both sides write it, and as the chain has it. Numbers beyond 53 bits are decimal. */
export interface TradedRow {
  readonly token: string;
  readonly poolId: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  /** Unix seconds. */
  readonly blockTime: string;
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly caller: string;
  readonly amount0: string;
  readonly amount1: string;
  readonly sqrtPriceX96: string;
  readonly liquidity: string;
  readonly tick: number;
  readonly grossQuote: string | null;
  readonly platformQuote: string | null;
  readonly creatorQuote: string | null;
}

/** A side's trades. */
export interface SideTrades {
  /** In the chain's order. */
  read(): Promise<readonly TradedRow[]>;
  /** Counts the trades, which costs less than reading them. */
  count(): Promise<number>;
}

const columns = (blockTime: string): string => `
  SELECT token_address AS token, pool_id AS "poolId", block_number::text AS "blockNumber", block_hash AS "blockHash", ${blockTime} AS "blockTime",
         transaction_hash AS "transactionHash", log_index AS "logIndex", caller, amount0::text, amount1::text, sqrt_price_x96::text AS "sqrtPriceX96",
         liquidity::text, tick, gross_quote::text AS "grossQuote", platform_quote::text AS "platformQuote", creator_quote::text AS "creatorQuote"`;
const ORDER = 'ORDER BY block_number, log_index';
/** Only final trades. */
const OURS = 'swaps WHERE block_number <= (SELECT checkpoint_number FROM sources)';
const PONDERS = `${PONDER_SCHEMA}.swap`;
type Answer = TradedRow & Record<string, unknown>;

export const ownTrades = (client: Client): SideTrades => ({
  read: async () =>
    (await client.query<Answer>(`${columns('extract(epoch FROM block_time)::bigint::text')} FROM ${OURS} ${ORDER}`))
      .rows,
  count: () => tableCount(client, OURS),
});

export const ponderTrades = (client: Client): SideTrades => {
  const isThere = async (): Promise<boolean> =>
    (await client.query<{ there: boolean }>(`SELECT to_regclass('${PONDERS}') IS NOT NULL AS there`)).rows[0]!.there;
  return {
    read: async () => (await client.query<Answer>(`${columns('block_time::text')} FROM ${PONDERS} ${ORDER}`)).rows,
    count: async () => ((await isThere()) ? tableCount(client, PONDERS) : 0),
  };
};

/** Equal texts mean equal trades. */
export const canonicalTrade = (row: TradedRow): string =>
  JSON.stringify([
    row.token.toLowerCase(),
    row.poolId,
    row.blockNumber,
    row.blockHash,
    row.blockTime,
    row.transactionHash,
    row.logIndex,
    row.caller.toLowerCase(),
    row.amount0,
    row.amount1,
    row.sqrtPriceX96,
    row.liquidity,
    row.tick,
    row.grossQuote,
    row.platformQuote,
    row.creatorQuote,
  ]);
