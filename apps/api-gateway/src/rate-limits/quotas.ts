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
 * credential lineage. A POST to create is counted as `submit`; only one under a new key as `create` too,
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

/**
 * What a bucket said to one request (generic cell rate algorithm). `aheadMicros` is how far the bucket's theoretical
 * arrival time lies in the future, after counting this request when it was allowed.
 */
export interface Verdict {
  readonly allowed: boolean;
  readonly aheadMicros: number;
}

/** What is left of a bucket after a request was counted, or refused. */
export interface QuotaState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again, or, when refused, until one request fits. */
  readonly resetSeconds: number;
}

/** Microseconds between requests at the average rate: whole, as PostgreSQL keeps time, so that no burst loses one to rounding. */
export const emissionMicros = (quota: Quota): number =>
  Math.max(1, Math.round((quota.windowSeconds * 1_000_000) / quota.quantity));

/** How far ahead a bucket's arrival time may lie. */
export const capacityMicros = (quota: Quota): number => emissionMicros(quota) * quota.burst;

/** What a client is told of a verdict. */
export function quotaState(quota: Quota, { allowed, aheadMicros }: Verdict): QuotaState {
  const interval = emissionMicros(quota);
  const spare = capacityMicros(quota) - aheadMicros;
  if (!allowed) return { allowed, remaining: 0, resetSeconds: wholeSeconds(interval - spare) };
  return { allowed, remaining: Math.max(0, Math.floor(spare / interval)), resetSeconds: wholeSeconds(aheadMicros) };
}

const wholeSeconds = (micros: number): number => Math.max(1, Math.ceil(micros / 1_000_000));

/**
 * The verdicts on requests that one bucket was asked for together, in their order.
 * @param before how far ahead the bucket was, and @param after is: whole requests lie between, those beyond `asked` counted in advance.
 */
export function verdictsOf(quota: Quota, asked: number, before: number, after: number): readonly Verdict[] {
  const interval = emissionMicros(quota);
  const granted = Math.round((after - before) / interval);
  return Array.from({ length: asked }, (_, index) =>
    index < granted
      ? { allowed: true, aheadMicros: before + (index + 1) * interval }
      : { allowed: false, aheadMicros: after },
  );
}

/** `RateLimit-Policy` and `RateLimit`, in the form of the IETF draft. */
export const quotaHeaders = (name: QuotaName, quota: Quota, state: QuotaState): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${name}";q=${quota.quantity};w=${quota.windowSeconds}`,
  ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
});
