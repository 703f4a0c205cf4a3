import type { Client } from 'pg';

/** A launch as both sides write it, and as the chain has it. */
export interface LaunchedRow {
  readonly token: string;
  readonly creator: string;
  readonly poolManager: string;
  readonly poolId: string;
  readonly hook: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: number;
  /** Unix seconds. */
  readonly launchedAt: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly packageIds: readonly string[];
  readonly familyIds: readonly string[];
  readonly description: string;
  readonly website: string;
  readonly imageUrl: string;
}

/** A side's rows, in the chain's order. */
export interface SideRows {
  readonly name: string;
  /** Null while its table is not there. */
  read(): Promise<readonly LaunchedRow[] | null>;
  /** Counts the rows, which costs less than reading them. */
  count(): Promise<number>;
}

const ORDER = 'ORDER BY block_number, log_index';
const OURS = `
  SELECT token_address AS token, creator, pool_manager AS "poolManager", pool_id AS "poolId", hook_address AS hook, block_number::text AS "blockNumber",
         block_hash AS "blockHash", transaction_hash AS "transactionHash", log_index AS "logIndex", extract(epoch FROM launched_at)::bigint::text AS "launchedAt",
         name, symbol, (record->>'decimals')::int AS decimals, record->'modulePackageIds' AS "packageIds", record->'moduleFamilyIds' AS "familyIds",
         metadata->>'description' AS description, metadata->>'website' AS website, metadata->>'imageUrl' AS "imageUrl"
    FROM launches`;
export const PONDER_SCHEMA = 'bench';
const PONDERS = `
  SELECT token_address AS token, creator, pool_manager AS "poolManager", pool_id AS "poolId", hook_address AS hook, block_number::text AS "blockNumber",
         block_hash AS "blockHash", transaction_hash AS "transactionHash", log_index AS "logIndex", launched_at::text AS "launchedAt",
         name, symbol, decimals, module_package_ids AS "packageIds", module_family_ids AS "familyIds", description, website, image_url AS "imageUrl"
    FROM ${PONDER_SCHEMA}.launch`;

/** @param finalOnly those that are admitted, not those that may still go. */
export const ownRows = (client: Client, { finalOnly }: { readonly finalOnly: boolean }): SideRows => {
  const which = finalOnly ? 'WHERE sequence IS NOT NULL' : '';
  return {
    name: 'ours',
    read: async () => (await client.query<LaunchedRow & Record<string, unknown>>(`${OURS} ${which} ${ORDER}`)).rows,
    count: async () => tableCount(client, `launches ${which}`),
  };
};

export const ponderRows = (client: Client): SideRows => {
  const isThere = async (): Promise<boolean> =>
    (await client.query<{ there: boolean }>(`SELECT to_regclass('${PONDER_SCHEMA}.launch') IS NOT NULL AS there`))
      .rows[0]!.there;
  return {
    name: 'Ponder',
    read: async () =>
      (await isThere())
        ? (await client.query<LaunchedRow & Record<string, unknown>>(`${PONDERS} ${ORDER}`)).rows
        : null,
    count: async () => ((await isThere()) ? tableCount(client, `${PONDER_SCHEMA}.launch`) : 0),
  };
};

export async function tableCount(client: Client, from: string): Promise<number> {
  return (await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`)).rows[0]!.count;
}

/** Equal texts mean equal rows. */
export const canonicalRows = (rows: readonly LaunchedRow[]): string => JSON.stringify(rows.map(canonicalRow));

const canonicalRow = (row: LaunchedRow): readonly unknown[] => [
  row.token.toLowerCase(),
  row.creator.toLowerCase(),
  row.poolManager.toLowerCase(),
  row.poolId,
  row.hook.toLowerCase(),
  row.blockNumber,
  row.blockHash,
  row.transactionHash,
  row.logIndex,
  row.launchedAt,
  row.name,
  row.symbol,
  row.decimals,
  row.packageIds,
  row.familyIds,
  row.description,
  row.website,
  row.imageUrl,
];

export const canonicalLaunch = (row: LaunchedRow): string => canonicalRows([row]);

/** @throws Error that names the first row in which a side differs from the chain. */
export function requireEqualRows<Row>(
  name: string,
  rows: readonly Row[],
  wanted: readonly Row[],
  canonical: (row: Row) => string,
): void {
  const length = Math.max(rows.length, wanted.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [rows[index], wanted[index]].map((row) => (row === undefined ? 'none' : canonical(row)));
    if (one !== other) throw new Error(`${name}: row ${index} of ${length} is ${one}, and the chain has ${other}`);
  }
}
