import { blobLocation } from '@launch/blob-store';
import { databaseUrl, integer, loadConfig } from '@launch/platform';
import { z } from 'zod';

export const configSchema = z.object({
  BLOB_STORE: blobLocation(),
  BUILD_RESULTS_STORE: blobLocation(),
  GATEWAY_DATABASE_URL: databaseUrl(),
  ADMISSION_DATABASE_URL: databaseUrl(),
  CUSTODY_DATABASE_URL: databaseUrl(),
  FINALITY_DATABASE_URL: databaseUrl(),
  INDEXER_DATABASE_URL: databaseUrl(),
  MODULE_REVIEW_DATABASE_URL: databaseUrl(),
  /** Days after which unreferenced content is set aside, and again until it is removed. */
  COLLECTION_GRACE_DAYS: integer(7, 3_650).default(30),
  /** The most contents that one run sets aside, and removes. */
  COLLECTION_LIMIT: integer(1, 1_000_000).default(100_000),
  /** The largest share of the kept content that may be unreferenced, in percent. */
  COLLECTION_MAX_PERCENT: integer(1, 100).default(20),
});
export type CollectorConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadCollectorConfig = (): CollectorConfig => loadConfig(configSchema);
