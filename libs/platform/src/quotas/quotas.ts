import { z } from 'zod';

/** More units than any quota counts: at one unit per microsecond, a bucket could not distinguish its units. */
const MAX_UNITS = 1_000_000_000;

/**
 * A quota: `quantity` units per `windowSeconds` on average, `burst` at once. A unit is one request unless the quota
 * defines it otherwise.
 */
export const quotaSchema = z.strictObject({
  quantity: z.number().int().min(1).max(MAX_UNITS),
  windowSeconds: z.number().int().min(1).max(86_400),
  burst: z.number().int().min(1).max(MAX_UNITS),
});
export type Quota = z.infer<typeof quotaSchema>;

/** Quotas by name; `public` applies to requests without a key. */
export type Quotas = Readonly<Record<string, Quota>> & { readonly public: Quota };

/**
 * A bucket's verdict on one request (generic cell rate algorithm). `aheadMicros` is the distance of the bucket's
 * theoretical arrival time into the future, including this request if it was allowed.
 */
export interface Verdict {
  readonly allowed: boolean;
  readonly aheadMicros: number;
}

/** The remainder of a bucket after a request was counted or refused. */
export interface QuotaState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the bucket is full again or, after a refusal, until one request fits. */
  readonly resetSeconds: number;
}

/**
 * Returns the microseconds between requests at the average rate: an integer, like PostgreSQL's timestamps, so that
 * rounding never reduces a burst.
 */
export const emissionMicros = (quota: Quota): number =>
  Math.max(1, Math.round((quota.windowSeconds * 1_000_000) / quota.quantity));

/** Returns how far ahead a bucket's arrival time may be. */
export const capacityMicros = (quota: Quota): number => emissionMicros(quota) * quota.burst;

/**
 * Returns the state that a client sees for a verdict.
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
 * Returns the verdicts on requests that were charged to one bucket together, in order.
 * @param before how far ahead the bucket was, and @param after is: whole requests lie between them; those beyond
 * `asked` were counted in advance.
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

/** Returns `RateLimit-Policy` and `RateLimit` in the format of the IETF draft. */
export const quotaHeaders = (name: string, quota: Quota, state: QuotaState): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${name}";q=${quota.quantity};w=${quota.windowSeconds}`,
  ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
});
