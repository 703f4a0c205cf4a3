/** Bounds by the address of a client: a separate entry, because the website needs nothing else from the platform. */
export { AddressBuckets } from './address-buckets.js';
export { addressKey, clientAddress } from './client-address.js';
export { capacityMicros, emissionMicros, quotaHeaders, quotaSchema, quotaState, verdictsOf } from './quotas.js';
export type { Quota, Quotas, QuotaState, Verdict } from './quotas.js';
