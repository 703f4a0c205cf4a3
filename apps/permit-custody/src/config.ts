import { blobLocation } from '@launch/blob-store';
import { NAMESPACES } from '@launch/contracts/orchestration';
import {
  databaseUrl,
  filedDocuments,
  loadConfig,
  temporalFields,
  temporalNamespace,
  textFile,
  workerFields,
} from '@launch/platform';
import { z } from 'zod';
import { requireSignerFields, signerFields } from './signer/signer.fields.js';

export const configSchema = z
  .object({
    ...workerFields,
    ...temporalFields(NAMESPACES.custody),
    /** The namespace of the workflows that may call; `TEMPORAL_PAYLOAD_KEYS_FILE` has its keys. */
    TEMPORAL_LAUNCHES_NAMESPACE: temporalNamespace(NAMESPACES.launches),
    /** Custody's own database, through the insert-only role. */
    DATABASE_URL: databaseUrl(),
    /** The shared blob store; custody only reads it. */
    BLOB_STORE: blobLocation(),
    /** The context document of new requests. */
    LAUNCH_CONTEXT_FILE: textFile(),
    /** Contexts of earlier releases, whose reserved requests still get their permits. */
    PREVIOUS_CONTEXTS_DIR: filedDocuments().default([]),
    /** The context document of custom launches and plans; absent if neither is served. */
    CUSTOM_LAUNCH_CONTEXT_FILE: textFile().optional(),
    /** Their predecessors, like those of multi-role launches. */
    PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: filedDocuments().default([]),
    ...signerFields,
    /** Ed25519 keys with which admission signs receipts and refusals, SPKI PEM; several during a rotation. */
    ADMISSION_PUBLIC_KEY_FILE: textFile(),
  })
  .superRefine(requireSignerFields);
export type CustodyConfig = z.output<typeof configSchema>;

/** @throws ConfigError naming every wrong variable. */
export const loadCustodyConfig = (): CustodyConfig => loadConfig(configSchema);
