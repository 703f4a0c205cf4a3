import type { IndexSource } from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { TradedPool } from '@launch/evm/sources';
import type { IndexerDatabase } from '@launch/prisma-indexer';

/** Maximum pool managers of a binding that names none. */
const MAX_MANAGERS = 16;
/** Pools in one lookup. */
const POOLS_AT_ONCE = 1_000;

/** The pools of one source's launches, including the provisional layer. */
export interface SourcePools {
  /** Returns the pool managers of the source's pools; empty while it has no launch. */
  managers(): Promise<readonly Hex[]>;
  /** Returns the pools among these ids. */
  withIds(managers: readonly Hex[], ids: readonly Hex[]): Promise<readonly TradedPool[]>;
  /** Returns the newest pools up to a limit. */
  newest(limit: number): Promise<readonly TradedPool[]>;
}

const COLUMNS = { poolId: true, poolManager: true, hookAddress: true, tokenAddress: true } as const;
const poolOf = (row: Readonly<Record<keyof typeof COLUMNS, string>>): TradedPool => ({
  poolId: row.poolId as Hex,
  poolManager: row.poolManager as Hex,
  hook: row.hookAddress as Hex,
  token: row.tokenAddress as Hex,
});

/** Looks up pools by the ids that occur in a range, so that a step's cost does not grow with the number of launches. */
export class KnownPools {
  /** Sources with a launch. They keep one, except after a reorganisation, when the query returns nothing. */
  readonly #withLaunches = new Set<Sha256Digest>();

  constructor(private readonly database: Pick<IndexerDatabase, 'launch'>) {}

  of(releaseDigest: Sha256Digest, source: IndexSource): SourcePools {
    const { launch } = this.database;
    const { chainId } = source;
    const bound = source.contracts['poolManager']?.address;
    return {
      managers: async () => {
        if (bound !== undefined) return (await this.#hasLaunch(releaseDigest)) ? [bound] : [];
        const rows = await launch.findMany({
          where: { releaseDigest },
          distinct: ['poolManager'],
          select: { poolManager: true },
          take: MAX_MANAGERS,
        });
        return rows.map(({ poolManager }) => poolManager as Hex);
      },
      async withIds(managers, ids) {
        const pools: TradedPool[] = [];
        for (let first = 0; first < ids.length; first += POOLS_AT_ONCE) {
          const some = ids.slice(first, first + POOLS_AT_ONCE);
          const where = { releaseDigest, chainId, poolManager: { in: [...managers] }, poolId: { in: some } };
          pools.push(...(await launch.findMany({ where, select: COLUMNS })).map(poolOf));
        }
        return pools;
      },
      newest: async (limit) =>
        (
          await launch.findMany({
            where: { releaseDigest },
            orderBy: { blockNumber: 'desc' },
            take: limit,
            select: COLUMNS,
          })
        ).map(poolOf),
    };
  }

  async #hasLaunch(releaseDigest: Sha256Digest): Promise<boolean> {
    if (this.#withLaunches.has(releaseDigest)) return true;
    const found = await this.database.launch.findFirst({ where: { releaseDigest }, select: { id: true } });
    if (found !== null) this.#withLaunches.add(releaseDigest);
    return found !== null;
  }
}
