import { type Quota, quotaSchema } from '@launch/platform/quotas';
import { z } from 'zod';

export const QUOTA_NAMES = [
  'public',
  'download',
  'public-rpc',
  'sign-in',
  'sign-in-wallet',
  'sign-in-address',
  'read',
  'preflight',
  'submit',
  'create',
  'hint',
  'module-submit',
  'module-create',
  'storage',
] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];
const GIB_IN_KIB = 1_048_576;

export type GatewayQuotas = Readonly<Record<QuotaName, Quota>>;

/**
 * The default quotas of a deployment. `public`, `download` and `sign-in` count by address, everything else by credential
 * lineage. A POST to create is counted as `submit`, and under a new key as `create` too, so that replays stay possible
 * when the quota of new launches is used up. Modules are counted likewise, as `module-submit` and `module-create`.
 *
 * `public-rpc` counts the provider calls of all anonymous requests together.
 *
 * Signing in counts by address (`sign-in`), and each key that it issues counts by wallet (`sign-in-wallet`) and by
 * address (`sign-in-address`). A key lives for weeks, so one wallet needs few of them a day.
 *
 * `storage` counts KiB, not requests: all bytes that this service stores for a key, over every kind of request. A launch
 * of the reference projects is 0.8 MiB, so a day has room for a thousand of them, or for 64 requests of the largest size.
 * The keys that a wallet signs in for share one bucket.
 */
export const DEFAULT_QUOTAS: GatewayQuotas = {
  public: { quantity: 50, windowSeconds: 1, burst: 100 },
  download: { quantity: 10, windowSeconds: 1, burst: 20 },
  'public-rpc': { quantity: 20, windowSeconds: 1, burst: 100 },
  'sign-in': { quantity: 10, windowSeconds: 60, burst: 10 },
  'sign-in-wallet': { quantity: 60, windowSeconds: 86_400, burst: 20 },
  'sign-in-address': { quantity: 50, windowSeconds: 86_400, burst: 50 },
  read: { quantity: 20, windowSeconds: 1, burst: 40 },
  preflight: { quantity: 30, windowSeconds: 60, burst: 30 },
  submit: { quantity: 120, windowSeconds: 60, burst: 120 },
  create: { quantity: 10, windowSeconds: 60, burst: 10 },
  hint: { quantity: 60, windowSeconds: 60, burst: 60 },
  'module-submit': { quantity: 60, windowSeconds: 60, burst: 60 },
  'module-create': { quantity: 6, windowSeconds: 3_600, burst: 6 },
  storage: { quantity: GIB_IN_KIB, windowSeconds: 86_400, burst: GIB_IN_KIB },
};

/** Partial overrides as in `RATE_LIMITS`: JSON of quotas by name. */
export const quotaOverridesSchema = z.partialRecord(z.enum(QUOTA_NAMES), quotaSchema);
