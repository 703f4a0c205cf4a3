import { type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { canonicalKeccak, type Hex } from '@launch/contracts/primitives';
import type { FinalityDatabase } from '@launch/prisma-finality';
import { FinalityError } from '../finality.error.js';

/** The contexts of custom launches. A request names its own context by hash, and keeps it after another is published. */
export interface CustomLaunchContextRepository {
  /** Keeps the context that this deployment publishes permanently. */
  keep(): Promise<void>;
  /** @throws FinalityError `CONTEXT_UNKNOWN` */
  load(contextHash: Hex): Promise<CustomLaunchContext>;
}

/** @param published null in a deployment that accepts no custom launches now. */
export function createCustomLaunchContextRepository(
  database: FinalityDatabase,
  published: CustomLaunchContext | null,
): CustomLaunchContextRepository {
  const publishedHash = published === null ? null : canonicalKeccak(published);
  return {
    async keep() {
      if (publishedHash === null) return;
      const row = { contextHash: publishedHash, document: canonicalJsonText(published) };
      await database.customLaunchContext.createMany({ data: [row], skipDuplicates: true });
    },
    async load(contextHash) {
      if (published !== null && contextHash === publishedHash) return published;
      const row = await database.customLaunchContext.findUnique({ where: { contextHash } });
      if (row === null) throw new FinalityError('CONTEXT_UNKNOWN', contextHash);
      const context = customLaunchContextSchema.parse(parseStrictJson(Buffer.from(row.document)));
      if (canonicalKeccak(context) !== contextHash)
        throw new TypeError(`the stored context is not the one of ${contextHash}`);
      return context;
    },
  };
}
