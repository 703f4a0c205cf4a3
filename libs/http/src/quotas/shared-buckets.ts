import type { Quota, QuotaState } from './quotas.js';

/** So many requests of one bucket at once. */
export interface BucketCharge {
  readonly bucket: string;
  readonly asked: number;
}

/** How far ahead of now a bucket was, and is with the requests that fitted; in microseconds. */
export interface Counted {
  readonly before: number;
  readonly after: number;
}

/** Where all processes of a service count together. */
export interface SharedBuckets {
  /** Counts what fits of the requests for each bucket, atomically. */
  count(quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, Counted>>;
  /** Counts one request. */
  take(bucket: string, quota: Quota): Promise<QuotaState>;
  /** Counts all `units`, or none when they do not fit. */
  takeUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState>;
  /** Whether `units` would fit now; counts nothing. */
  peekUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState>;
  /** Takes counted units back. */
  giveBackUnits(bucket: string, quota: Quota, units: number): Promise<void>;
}
