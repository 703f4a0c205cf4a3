import { z } from 'zod';

/** More than any quota counts: at one unit a microsecond a bucket could not tell its units apart. */
const MAX_UNITS = 1_000_000_000;

/** `quantity` units a `windowSeconds` on average, `burst` at once. A unit is one request unless the quota says otherwise. */
export const quotaSchema = z.strictObject({
  quantity: z.number().int().min(1).max(MAX_UNITS),
  windowSeconds: z.number().int().min(1).max(86_400),
  burst: z.number().int().min(1).max(MAX_UNITS),
});
export type Quota = z.infer<typeof quotaSchema>;

/** Quotas by name; `public` is that of requests by nobody in particular. */
export type Quotas = Readonly<Record<string, Quota>> & { readonly public: Quota };

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

/**
 * What a client is told of a verdict.
 * @param units how many units the request counts as.
 */
export function quotaState(quota: Quota, { allowed, aheadMicros }: Verdict, units = 1): QuotaState {
  const interval = emissionMicros(quota);
  const spare = capacityMicros(quota) - aheadMicros;
  if (!allowed) return { allowed, remaining: 0, resetSeconds: wholeSeconds(interval * units - spare) };
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
export const quotaHeaders = (name: string, quota: Quota, state: QuotaState): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${name}";q=${quota.quantity};w=${quota.windowSeconds}`,
  ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
});
