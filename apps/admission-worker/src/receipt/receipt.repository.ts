import { sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import type { AdmissionDatabase } from '@launch/prisma-admission';

export interface ReceiptRow {
  readonly receiptSha256: Sha256Digest;
  readonly disposition: string;
}

export interface ReceiptRepository {
  find(launchId: string): Promise<ReceiptRow | null>;
  /** Returns the resulting row: this one, or an earlier one. */
  insertOnce(row: ReceiptRow & { readonly launchId: string; readonly requestHash: string }): Promise<ReceiptRow>;
}

const decode = (row: { readonly receiptSha256: string; readonly disposition: string }): ReceiptRow => ({
  receiptSha256: sha256DigestSchema.parse(row.receiptSha256),
  disposition: row.disposition,
});

export const createReceiptRepository = (database: AdmissionDatabase): ReceiptRepository => ({
  async find(launchId) {
    const row = await database.sourceReceipt.findUnique({ where: { launchId } });
    return row === null ? null : decode(row);
  },
  async insertOnce(row) {
    await database.sourceReceipt.createMany({ data: [row], skipDuplicates: true });
    return decode(await database.sourceReceipt.findUniqueOrThrow({ where: { launchId: row.launchId } }));
  },
});
