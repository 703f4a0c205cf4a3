import { blobLocation } from '@launch/blob-store';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { loadConfig } from '@launch/platform';
import { z } from 'zod';
import { listenerFields } from '../configuration/listener.fields.js';

export const configSchema = z.object({
  ...listenerFields(NAMESPACES.modules),
  /** Results of builds, which it only reads. */
  BUILD_RESULTS_STORE: blobLocation(),
});

export type ReviewConsoleConfig = z.infer<typeof configSchema>;

/** Reads the review console's configuration. @throws ConfigError that names every invalid variable and no value. */
export const readReviewConsoleConfig = (env: NodeJS.ProcessEnv = process.env): ReviewConsoleConfig =>
  loadConfig(configSchema, env);
