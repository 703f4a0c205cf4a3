import { ApiError, type Quota, type SharedBuckets } from '@launch/http';

/** Takes what one question to the chain costs. @throws ApiError `SERVICE_UNAVAILABLE` when nothing is left now. */
export type RpcBudget = (calls: number) => Promise<void>;

const BUCKET = 'public-rpc/all';

/**
 * One budget of all gateways for the provider calls that anonymous requests cause. Quotas of addresses bound one sender;
 * this bounds all of them together, since providers charge the operator and answer launches from the same plan.
 */
export const anonymousRpcBudget =
  (buckets: Pick<SharedBuckets, 'takeUnits'>, quota: Quota): RpcBudget =>
  async (calls) => {
    const { allowed, resetSeconds } = await buckets.takeUnits(BUCKET, quota, calls);
    if (!allowed) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: resetSeconds });
  };
