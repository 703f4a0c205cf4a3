import { databaseUrl, loadConfig, temporalFields, textFile, workerFields } from '@launch/platform';
import { z } from 'zod';

const configSchema = z.object({
  ...workerFields,
  ...temporalFields,
  /** Custody's own database, as the insert-only role. */
  DATABASE_URL: databaseUrl(),
  /** Root of the shared blob store; may be mounted read-only. */
  BLOB_DIR: z.string().min(1),
  /** The one context this process signs for: its document. */
  LAUNCH_CONTEXT_FILE: textFile(),
  /** File with the permit authority's private key, 64 hex digits, readable by its owner only. */
  PERMIT_KEY_FILE: z.string().min(1),
  /** SPKI PEM of the Ed25519 key that admission signs receipts with. */
  ADMISSION_PUBLIC_KEY_FILE: textFile(),
});
export type CustodyConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadCustodyConfig = (): CustodyConfig => loadConfig(configSchema);
