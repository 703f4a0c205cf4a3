import { databaseUrl, loadConfig, temporalFields, textFile, workerFields } from '@launch/platform';
import { z } from 'zod';
import { previousContextsFolder } from './previous-contexts.js';

const configSchema = z.object({
  ...workerFields,
  ...temporalFields,
  /** Custody's own database, as the insert-only role. */
  DATABASE_URL: databaseUrl(),
  /** Root of the shared blob store; may be mounted read-only. */
  BLOB_DIR: z.string().min(1),
  /** The context that new requests carry: its document. */
  LAUNCH_CONTEXT_FILE: textFile(),
  /** Contexts of earlier releases, whose reserved requests still get their permits. */
  PREVIOUS_CONTEXTS_DIR: previousContextsFolder().default([]),
  /** File with the permit authority's private key, 64 hex digits, readable by its owner only. */
  PERMIT_KEY_FILE: z.string().min(1),
  /** SPKI PEM of the Ed25519 key that admission signs receipts with. */
  ADMISSION_PUBLIC_KEY_FILE: textFile(),
});
export type CustodyConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadCustodyConfig = (): CustodyConfig => loadConfig(configSchema);
