import { COMPILE_BUDGET_SECONDS } from '@launch/contracts/primitives';
import { z } from 'zod';
import {
  databaseUrl,
  filedDocuments,
  integer,
  loadConfig,
  secretTextFile,
  temporalFields,
  textFile,
  workerFields,
} from '@launch/platform';

/** Four requests that take long leave one of these places free, from any lineage. */
export const SHORT_COMPILATIONS = 5;

export const configSchema = z.object({
  ...workerFields,
  ...temporalFields,
  DATABASE_URL: databaseUrl(),
  BLOB_DIR: z.string().min(1),
  /** Folder of remembered compiler results; without it nothing is remembered over a restart. */
  COMPILER_CACHE_DIR: z.string().min(1).optional(),
  /** Short compilations at once; one credential lineage has half of these places at most. A GiB of memory each. */
  COMPILER_CONCURRENCY: integer(1, 16).default(SHORT_COMPILATIONS),
  /** Long compilations at once, beside the short ones. A GiB of memory each. */
  COMPILER_LONG_CONCURRENCY: integer(1, 16).default(1),
  /** Processor time of a request's compilation: all of its units together. The gateway publishes the same value. */
  COMPILE_BUDGET_SECONDS: integer(1, 3_600).default(COMPILE_BUDGET_SECONDS),
  /** Processor time after which a request's compilation goes on among the long ones. */
  COMPILE_SHORT_SECONDS: integer(1, 3_600).default(10),
  /** `id=url,id=url`; parsed by the chain library, which knows what independent means. */
  RPC_4663_URLS: z.string().min(1).max(8_192),
  /** The same of Ethereum, where the second price feed of custom launches is; needed beside their context. */
  RPC_1_URLS: z.string().min(1).max(8_192).optional(),
  /** The context of custom launches and plans: its document. Absent: a deployment without them. */
  CUSTOM_LAUNCH_CONTEXT_FILE: textFile().optional(),
  /** Their contexts of earlier releases, whose reserved requests are still admitted. */
  PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: filedDocuments().default([]),
  /** PKCS#8 PEM of the Ed25519 key that signs admission receipts. */
  ADMISSION_SIGNING_KEY_FILE: secretTextFile(),
});
export type AdmissionConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadAdmissionConfig = (): AdmissionConfig => loadConfig(configSchema);
