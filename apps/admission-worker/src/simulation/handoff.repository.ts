import { sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import type { AdmissionDatabase } from '@launch/prisma-admission';

export interface HandoffRow {
  readonly handoffSha256: Sha256Digest;
  readonly permitDigest: string;
}

export interface HandoffRepository {
  find(launchId: string): Promise<HandoffRow | null>;
  /** Returns the resulting row: this one, or an earlier one. */
  insertOnce(row: HandoffRow & { readonly launchId: string }): Promise<HandoffRow>;
}

const decode = (row: { readonly handoffSha256: string; readonly permitDigest: string }): HandoffRow => ({
  handoffSha256: sha256DigestSchema.parse(row.handoffSha256),
  permitDigest: row.permitDigest,
});

export const createHandoffRepository = (database: AdmissionDatabase): HandoffRepository => ({
  async find(launchId) {
    const row = await database.walletHandoff.findUnique({ where: { launchId } });
    return row === null ? null : decode(row);
  },
  async insertOnce(row) {
    await database.walletHandoff.createMany({ data: [row], skipDuplicates: true });
    return decode(await database.walletHandoff.findUniqueOrThrow({ where: { launchId: row.launchId } }));
  },
});
