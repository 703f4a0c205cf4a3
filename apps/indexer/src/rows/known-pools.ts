import type { IndexSource } from '@launch/contracts/index';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { TradedPool } from '@launch/evm/sources';
import type { IndexerDatabase } from '@launch/prisma-indexer';

/** Contracts that a binding without a pool manager may have launches at. */
const MAX_MANAGERS = 16;
/** Pools of one lookup. */
const POOLS_AT_ONCE = 1_000;

/** The pools of one source's launches, the provisional layer too. */
export interface SourcePools {
  /** Pool managers that the source's launches have pools at; empty while it has no launch. */
  managers(): Promise<readonly Hex[]>;
  /** The pools among these ids. */
  withIds(managers: readonly Hex[], ids: readonly Hex[]): Promise<readonly TradedPool[]>;
  /** The newest pools, a few of them. */
  newest(limit: number): Promise<readonly TradedPool[]>;
}

const COLUMNS = { poolId: true, poolManager: true, hookAddress: true, tokenAddress: true } as const;
const poolOf = (row: Readonly<Record<keyof typeof COLUMNS, string>>): TradedPool => ({
  poolId: row.poolId as Hex,
  poolManager: row.poolManager as Hex,
  hook: row.hookAddress as Hex,
  token: row.tokenAddress as Hex,
});

/** Looks pools up by what occurs in a range, so that a step costs the same however many launches there ever were. */
export class KnownPools {
  /** Sources that have a launch: they keep one, but for a reorganisation, after which the question is asked in vain. */
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
