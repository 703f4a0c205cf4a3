import { blobLocation } from '@launch/blob-store';
import { databaseUrl, integer, port, secretTextFile, serviceFields, temporalFields } from '@launch/platform';
import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../platform/configuration/limits.js';
import { DEFAULT_QUOTAS, type GatewayQuotas, quotaOverridesSchema } from '../../platform/rate-limits/gateway-quotas.js';
import { strictJsonOf } from './strict-json.js';

const MIN_SECRET_CHARACTERS = 32;

const quotas = z.string().transform((text, context): GatewayQuotas => {
  const result = quotaOverridesSchema.safeParse(strictJsonOf(text));
  if (result.success) return { ...DEFAULT_QUOTAS, ...result.data };
  context.addIssue({
    code: 'custom',
    message: 'must be JSON of quotas by name, each {quantity, windowSeconds, burst}',
  });
  return z.NEVER;
});

/** The variables of both processes of this project, the public gateway and the review console, by their namespace. */
export const listenerFields = (namespace: string) => ({
  ...serviceFields,
  ...temporalFields(namespace),
  PORT: port().default(0),
  /** The port of `/healthz`, `/readyz` and `/metrics` for operators; the other listener does not have the last two. */
  OPERATIONS_PORT: port().default(0),
  /** Host of the operations port; defaults to `HOST`. */
  OPERATIONS_HOST: z.string().min(1).max(255).optional(),
  DATABASE_URL: databaseUrl(),
  BLOB_STORE: blobLocation(),
  CREDENTIAL_PEPPER_FILE: secretTextFile({ minLength: MIN_SECRET_CHARACTERS }),
  CURSOR_KEY_FILE: secretTextFile({ minLength: MIN_SECRET_CHARACTERS }),
  RATE_LIMITS: quotas.optional(),
  TRUSTED_PROXIES: integer(0, 8).default(DEFAULT_LIMITS.trustedProxies),
});
