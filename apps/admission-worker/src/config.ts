import { blobLocation } from '@launch/blob-store';
import { COMPILE_BUDGET_SECONDS } from '@launch/contracts/primitives';
import { z } from 'zod';
import { NAMESPACES } from '@launch/contracts/orchestration';
import {
  databaseUrl,
  filedDocuments,
  integer,
  loadConfig,
  secretTextFile,
  temporalFields,
  textFile,
  workerFields,
  workerVersionFields,
} from '@launch/platform';

/** Four slow requests, of any lineages, leave one of these places free. */
export const SHORT_COMPILATIONS = 5;

export const configSchema = z.object({
  ...workerFields,
  ...workerVersionFields,
  ...temporalFields(NAMESPACES.launches),
  DATABASE_URL: databaseUrl(),
  BLOB_STORE: blobLocation(),
  /** Folder of remembered compiler results; without it a restart forgets them. */
  COMPILER_CACHE_DIR: z.string().min(1).optional(),
  /** Concurrent short compilations; one credential lineage may use half of these places. Each needs a GiB of memory. */
  COMPILER_CONCURRENCY: integer(1, 16).default(SHORT_COMPILATIONS),
  /** Concurrent long compilations, in addition to the short ones. Each needs a GiB of memory. */
  COMPILER_LONG_CONCURRENCY: integer(1, 16).default(1),
  /** Processor time of all units of a request's compilation. The gateway publishes the same value. */
  COMPILE_BUDGET_SECONDS: integer(1, 3_600).default(COMPILE_BUDGET_SECONDS),
  /** Processor time after which a request's compilation continues on the long queue. */
  COMPILE_SHORT_SECONDS: integer(1, 3_600).default(10),
  /** `id=url,id=url`; the chain library parses it and requires independent providers. */
  RPC_4663_URLS: z.string().min(1).max(8_192),
  /** Observers of Ethereum, which has the second price feed of custom launches; required with their context. */
  RPC_1_URLS: z.string().min(1).max(8_192).optional(),
  /** Document of the context of custom launches and plans; absent in a deployment without them. */
  CUSTOM_LAUNCH_CONTEXT_FILE: textFile().optional(),
  /** Contexts of earlier releases, whose reserved requests are still admitted. */
  PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: filedDocuments().default([]),
  /** PKCS#8 PEM of the Ed25519 key that signs admission receipts. */
  ADMISSION_SIGNING_KEY_FILE: secretTextFile(),
});
export type AdmissionConfig = z.output<typeof configSchema>;

/** Reads the configuration. @throws ConfigError naming every wrong variable. */
export const loadAdmissionConfig = (): AdmissionConfig => loadConfig(configSchema);
