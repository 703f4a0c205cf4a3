import { ApiError, type SharedBuckets } from '@launch/http';
import type { Quota } from '@launch/platform/quotas';

/** Takes the cost of one request to the chain. @throws ApiError `SERVICE_UNAVAILABLE` when the budget is used up. */
export type RpcBudget = (calls: number) => Promise<void>;

const BUCKET = 'public-rpc/all';

/**
 * The budget, shared by all gateways, for the provider calls that anonymous requests cause. Quotas of addresses bound one
 * sender. This budget bounds all senders together, since providers charge the operator and serve launches from the same
 * plan.
 */
export const anonymousRpcBudget =
  (buckets: Pick<SharedBuckets, 'takeUnits'>, quota: Quota): RpcBudget =>
  async (calls) => {
    const { allowed, resetSeconds } = await buckets.takeUnits(BUCKET, quota, calls);
    if (!allowed) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: resetSeconds });
  };
