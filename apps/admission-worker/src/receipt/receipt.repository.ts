import type { AdmissionDatabase } from '@launch/prisma-admission';

export interface ReceiptRow {
  readonly receiptSha256: string;
  readonly disposition: string;
}

export interface ReceiptRepository {
  find(launchId: string): Promise<ReceiptRow | null>;
  /** The row that stands afterwards: this one, or the one that was there first. */
  insertOnce(row: ReceiptRow & { readonly launchId: string; readonly requestHash: string }): Promise<ReceiptRow>;
}

export const createReceiptRepository = (database: AdmissionDatabase): ReceiptRepository => ({
  find: (launchId) => database.sourceReceipt.findUnique({ where: { launchId } }),
  async insertOnce(row) {
    await database.sourceReceipt.createMany({ data: [row], skipDuplicates: true });
    return database.sourceReceipt.findUniqueOrThrow({ where: { launchId: row.launchId } });
  },
});
