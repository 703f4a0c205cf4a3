import { z } from 'zod';

/** `quantity` requests a `windowSeconds` on average, `burst` at once. */
const quotaSchema = z.strictObject({
  quantity: z.number().int().min(1).max(1_000_000),
  windowSeconds: z.number().int().min(1).max(86_400),
  burst: z.number().int().min(1).max(1_000_000),
});
export type Quota = z.infer<typeof quotaSchema>;

export const QUOTA_NAMES = ['public', 'download', 'sign-in', 'read', 'preflight', 'submit', 'create', 'hint'] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];
export type Quotas = Readonly<Record<QuotaName, Quota>>;

/**
 * What a deployment grants unless it configures otherwise. `public`, `download` and `sign-in` count by address, everything else by
 * credential lineage. A POST to create is counted as `submit`; only one that reserves under a new key as `create`,
 * so that replays stay possible when the quota of new launches is used up.
 */
export const DEFAULT_QUOTAS: Quotas = {
  public: { quantity: 50, windowSeconds: 1, burst: 100 },
  download: { quantity: 10, windowSeconds: 1, burst: 20 },
  'sign-in': { quantity: 10, windowSeconds: 60, burst: 10 },
  read: { quantity: 20, windowSeconds: 1, burst: 40 },
  preflight: { quantity: 30, windowSeconds: 60, burst: 30 },
  submit: { quantity: 120, windowSeconds: 60, burst: 120 },
  create: { quantity: 10, windowSeconds: 60, burst: 10 },
  hint: { quantity: 60, windowSeconds: 60, burst: 60 },
};

/** Partial overrides, as `RATE_LIMITS` carries them: JSON of quotas by name. */
export const quotaOverridesSchema = z.partialRecord(z.enum(QUOTA_NAMES), quotaSchema);

/** What is left of a bucket after a request was counted, or refused. */
export interface QuotaState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again, or, when refused, until one request fits. */
  readonly resetSeconds: number;
}

/** Milliseconds between requests at the average rate. */
export const emissionIntervalMs = (quota: Quota): number => (quota.windowSeconds * 1_000) / quota.quantity;

/**
 * The generic cell rate algorithm's answer. `aheadMs` is how far the bucket's theoretical arrival time
 * lies in the future, after counting this request when it was allowed.
 */
export function quotaState(quota: Quota, allowed: boolean, aheadMs: number): QuotaState {
  const interval = emissionIntervalMs(quota);
  const capacity = interval * quota.burst;
  if (!allowed) return { allowed, remaining: 0, resetSeconds: Math.max(1, Math.ceil((aheadMs + interval - capacity) / 1_000)) };
  return { allowed, remaining: Math.max(0, Math.floor((capacity - aheadMs) / interval)), resetSeconds: Math.max(1, Math.ceil(aheadMs / 1_000)) };
}

/** `RateLimit-Policy` and `RateLimit`, in the form of the IETF draft. */
export const quotaHeaders = (name: QuotaName, quota: Quota, state: QuotaState): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${name}";q=${quota.quantity};w=${quota.windowSeconds}`,
  ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
});
