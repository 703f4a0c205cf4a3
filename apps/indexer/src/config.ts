import { databaseUrl, integer, loadConfig, temporalFields, workerFields } from '@launch/platform';
import { z } from 'zod';

export const configSchema = z.object({
  ...workerFields,
  ...temporalFields,
  DATABASE_URL: databaseUrl(),
  BLOB_DIR: z.string().min(1),
  /** Folder of the bindings, each `<64 hex digits of its SHA-256>.json`, and of `deployment.json` about them. */
  INDEX_SOURCES_DIR: z.string().min(1),
  /** `id=url,id=url`; parsed by the chain library, which knows what independent means. */
  RPC_4663_URLS: z.string().min(1).max(8_192),
  RPC_1_URLS: z.string().min(1).max(8_192),
  /** Milliseconds between two looks at the head of a chain, and at what of it is final. */
  INDEX_POLL_MS: integer(100, 60_000).default(1_000),
  INDEX_FINALITY_POLL_MS: integer(100, 600_000).default(5_000),
  /** Days for which trades are kept; the database lets none go that is younger than 30. */
  INDEX_SWAP_RETENTION_DAYS: integer(30, 36_500).default(400),
  /** Milliseconds for which a place that gives no answer is asked again before the index goes past it. */
  INDEX_PATIENCE_MS: integer(1_000, 600_000).default(30_000),
  /** Blocks of one range, at most: what the endpoints accept of log queries, and 500 bytes of header each. */
  INDEX_RANGE_BLOCKS: integer(1, 100_000).default(2_000),
});
export type IndexerConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadIndexerConfig = (): IndexerConfig => loadConfig(configSchema);
