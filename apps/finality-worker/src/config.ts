import { blobLocation } from '@launch/blob-store';
import { z } from 'zod';
import { NAMESPACES } from '@launch/contracts/orchestration';
import {
  databaseUrl,
  integer,
  loadConfig,
  secretTextFile,
  temporalFields,
  textFile,
  workerFields,
  workerVersionFields,
} from '@launch/platform';

export const configSchema = z.object({
  /** PKCS#8 PEM of the Ed25519 key that signs observations and records. */
  FINALITY_SIGNING_KEY_FILE: secretTextFile(),
  /** Ed25519 keys of the observations that this service continues, SPKI PEM; several during a rotation. */
  FINALITY_PUBLIC_KEY_FILE: textFile(),
  ...workerFields,
  ...workerVersionFields,
  ...temporalFields(NAMESPACES.launches),
  DATABASE_URL: databaseUrl(),
  BLOB_STORE: blobLocation(),
  /** Canonical JSON of the published context; readiness compares the configured observers and the chain with it. */
  LAUNCH_CONTEXT_FILE: textFile(),
  /** The context of custom launches; absent in a deployment without them. */
  CUSTOM_LAUNCH_CONTEXT_FILE: textFile().optional(),
  /** `id=url,id=url`; the chain library parses it and checks that the observers are independent. */
  RPC_4663_URLS: z.string().min(1).max(8_192),
  RPC_1_URLS: z.string().min(1).max(8_192),
  /** Bounds of the time between two polls of a launch, in milliseconds. */
  FINALITY_POLL_MIN_MS: integer(100, 60_000).default(1_000),
  FINALITY_POLL_MAX_MS: integer(1_000, 600_000).default(60_000),
  /** Expected duration of a stage until enough is measured, in milliseconds. The values are explained in docs/guides/finality.md. */
  FINALITY_EXPECT_INCLUDED_MS: integer(100, 86_400_000).default(15_000),
  FINALITY_EXPECT_POSTED_MS: integer(100, 86_400_000).default(900_000),
  FINALITY_EXPECT_FINALIZED_MS: integer(100, 86_400_000).default(1_200_000),
  /** Blocks the endpoints of chain 4663 accept in one log query. */
  RPC_4663_LOG_RANGE: integer(1, 1_000_000).default(10_000),
  /** Blocks an observation searches by itself after the one its launch was simulated at; what is later, the recovery finds. */
  FINALITY_SEARCH_BLOCKS: integer(1, 10_000_000).default(200_000),
  /** Time between two rounds of the recovery, in milliseconds; well below what readiness calls silence. */
  RECOVERY_POLL_MS: integer(1_000, 60_000).default(15_000),
});
export type FinalityConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadFinalityConfig = (): FinalityConfig => loadConfig(configSchema);
