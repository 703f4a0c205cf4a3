import { blobLocation } from '@launch/blob-store';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { databaseUrl, integer, loadConfig, temporalFields, workerFields, workerVersionFields } from '@launch/platform';
import { z } from 'zod';

export const configSchema = z.object({
  ...workerFields,
  ...workerVersionFields,
  ...temporalFields(NAMESPACES.launches),
  DATABASE_URL: databaseUrl(),
  BLOB_STORE: blobLocation(),
  /** Folder of the bindings, each named `<64 hex digits of its SHA-256>.json`, and of `deployment.json`. */
  INDEX_SOURCES_DIR: z.string().min(1),
  /** `id=url,id=url`; the chain library parses it and checks that the observers are independent. */
  RPC_4663_URLS: z.string().min(1).max(8_192),
  RPC_1_URLS: z.string().min(1).max(8_192),
  /** Milliseconds between two polls of a chain's head and final block. */
  INDEX_POLL_MS: integer(100, 60_000).default(1_000),
  INDEX_FINALITY_POLL_MS: integer(100, 600_000).default(5_000),
  /** Days for which trades are kept; the database refuses to delete trades younger than 30 days. */
  INDEX_SWAP_RETENTION_DAYS: integer(30, 36_500).default(400),
  /** Milliseconds for which a place without an answer is retried before the index skips it. */
  INDEX_PATIENCE_MS: integer(1_000, 600_000).default(30_000),
  /** Maximum blocks of one range: within the endpoints' log query limit, at 500 bytes per header. */
  INDEX_RANGE_BLOCKS: integer(1, 100_000).default(2_000),
});
export type IndexerConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadIndexerConfig = (): IndexerConfig => loadConfig(configSchema);
