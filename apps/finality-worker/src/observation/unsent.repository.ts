import { addressSchema, type Hex } from '@launch/contracts/primitives';
import type { FinalityDatabase } from '@launch/prisma-finality';

export interface UnsentLaunch {
  readonly launchId: string;
  readonly router: string;
  readonly onchainLaunchId: string;
  /** The block of its simulation; its stamp is in a later one. */
  readonly searchFrom: bigint;
}

export interface WatchedRouter {
  readonly router: Hex;
  /** The lowest value of its launches. */
  readonly searchFrom: bigint;
}

/** The launches without a known transaction, shared by all workers. */
export interface UnsentRepository {
  add(launch: UnsentLaunch): Promise<void>;
  remove(launchId: string): Promise<void>;
  routers(): Promise<readonly WatchedRouter[]>;
  ofStamps(
    router: string,
    onchainLaunchIds: readonly string[],
  ): Promise<readonly Pick<UnsentLaunch, 'launchId' | 'onchainLaunchId'>[]>;
}

export const createUnsentRepository = (database: FinalityDatabase): UnsentRepository => ({
  async add(launch) {
    await database.unsentLaunch.createMany({ data: [launch], skipDuplicates: true });
  },
  async remove(launchId) {
    await database.unsentLaunch.deleteMany({ where: { launchId } });
  },
  async routers() {
    const rows = await database.unsentLaunch.groupBy({ by: ['router'], _min: { searchFrom: true } });
    return rows.map(({ router, _min }) => ({ router: addressSchema.parse(router), searchFrom: _min.searchFrom ?? 0n }));
  },
  ofStamps: (router, onchainLaunchIds) =>
    database.unsentLaunch.findMany({
      where: { router, onchainLaunchId: { in: [...onchainLaunchIds] } },
      select: { launchId: true, onchainLaunchId: true },
    }),
});
