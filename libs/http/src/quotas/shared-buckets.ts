import type { Quota, QuotaState } from '@launch/platform/quotas';

/** A number of simultaneous requests of one bucket. */
export interface BucketCharge {
  readonly bucket: string;
  readonly asked: number;
}

/** Time by which a bucket is ahead of now, before and after counting the requests that fit; in microseconds. */
export interface Counted {
  readonly before: number;
  readonly after: number;
}

/** The count that all processes of a service share. */
export interface SharedBuckets {
  /** Counts as many requests of each bucket as fit, atomically. */
  count(quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, Counted>>;
  /** Counts one request. */
  take(bucket: string, quota: Quota): Promise<QuotaState>;
  /** Counts all `units`, or none if they do not fit. */
  takeUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState>;
  /** Reports whether `units` would fit now, without counting. */
  peekUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState>;
  /** Returns counted units. */
  giveBackUnits(bucket: string, quota: Quota, units: number): Promise<void>;
}
