import type { AdmissionDatabase } from '@launch/prisma-admission';

export interface HandoffRow {
  readonly handoffSha256: string;
  readonly permitDigest: string;
}

export interface HandoffRepository {
  find(launchId: string): Promise<HandoffRow | null>;
  /** The row that stands afterwards: this one, or the one that was there first. */
  insertOnce(row: HandoffRow & { readonly launchId: string }): Promise<HandoffRow>;
}

export const createHandoffRepository = (database: AdmissionDatabase): HandoffRepository => ({
  find: (launchId) => database.walletHandoff.findUnique({ where: { launchId } }),
  async insertOnce(row) {
    await database.walletHandoff.createMany({ data: [row], skipDuplicates: true });
    return database.walletHandoff.findUniqueOrThrow({ where: { launchId: row.launchId } });
  },
});
