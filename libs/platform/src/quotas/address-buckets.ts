import { capacityMicros, emissionMicros, type Quota, type Verdict } from './quotas.js';

const MAX_BUCKETS = 50_000;
/**
 * The largest part of a bucket's remainder that one process holds, so that it does not exclude clients at other
 * processes.
 */
const HELD_PART = 1 / 16;
/** The longest time that slots are held: the reported state of a bucket is no older. */
const MAX_HELD_MICROS = 1_000_000;

interface Bucket {
  /** The slot of the next request, unless it is past. */
  readonly arrival: number;
  /** The end of the slots that were counted in advance for this process; none are held unless it is after `arrival`. */
  readonly heldUntil: number;
  /** The time at which held slots are given up. */
  readonly heldBefore: number;
  /** The time of the last request. */
  readonly seen: number;
  /** The interval before the last request without a held slot; infinite for a new bucket. */
  readonly pause: number;
}

/**
 * Buckets of addresses as this process knows them. An address over its quota here is refused without a query, and while
 * the database does not respond, this count is the verdict. Times are microseconds of a monotonic clock.
 *
 * A bucket is a sequence of slots; each is as long as a request at the average rate takes. A request fits if it takes a
 * slot that has not begun, at most `burst` slots ahead. Slots that the shared count has given to this process are its
 * own, and it grants them without a query. A slot expires once its time has come, held or not.
 */
export class AddressBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly maxBuckets = MAX_BUCKETS) {}

  /** Counts a request if it fits. */
  take(bucket: string, quota: Quota, now: number): Verdict {
    const known = this.buckets.get(bucket);
    const verdict = this.peek(bucket, quota, now);
    // Also refreshes the entry of a refused request, so that a persistent client is not the one that is evicted.
    this.keep(bucket, {
      arrival: now + verdict.aheadMicros,
      heldUntil: 0,
      heldBefore: 0,
      seen: now,
      pause: now - (known?.seen ?? -Infinity),
    });
    return verdict;
  }

  /** Counts a request in a held slot. Returns null if none is left. */
  takeHeld(bucket: string, quota: Quota, now: number): Verdict | null {
    const known = this.buckets.get(bucket);
    if (known === undefined || now >= known.heldBefore) return null;
    const arrival = Math.max(known.arrival, now) + emissionMicros(quota);
    if (arrival > known.heldUntil) return null;
    this.keep(bucket, { ...known, arrival, seen: now });
    return { allowed: true, aheadMicros: arrival - now };
  }

  /** Returns the verdict of `take` without counting. */
  peek(bucket: string, quota: Quota, now: number): Verdict {
    const ahead = Math.max(this.buckets.get(bucket)?.arrival ?? 0, now) - now;
    const counted = ahead + emissionMicros(quota);
    return counted > capacityMicros(quota)
      ? { allowed: false, aheadMicros: ahead }
      : { allowed: true, aheadMicros: counted };
  }

  /**
   * Returns how many slots beyond its last request to hold for a bucket: those that an address will use at its current
   * pace.
   */
  worthHolding(bucket: string, quota: Quota, now: number): number {
    const known = this.buckets.get(bucket);
    if (known === undefined) return 0;
    const interval = emissionMicros(quota);
    const ahead = known.arrival - interval - now;
    const micros = Math.min((capacityMicros(quota) - Math.max(0, ahead)) * HELD_PART, MAX_HELD_MICROS);
    // Slots ahead wait for use, and are lost if they are not used. Others expire for every holder.
    const used = ahead > 0 ? MAX_HELD_MICROS / known.pause : known.pause < micros ? Infinity : 0;
    return Math.floor(Math.min(micros / interval, used));
  }

  /**
   * Records how far ahead a bucket was at `at`, and how far it is with the slots now held.
   * @param at the time of the query, not of the response: a slot ends no later here than in the shared count.
   */
  learn(bucket: string, aheadMicros: number, at: number, heldMicros = aheadMicros): void {
    const { seen, pause } = this.buckets.get(bucket) ?? { seen: at, pause: Infinity };
    this.keep(bucket, {
      arrival: at + aheadMicros,
      heldUntil: at + heldMicros,
      heldBefore: at + MAX_HELD_MICROS,
      seen,
      pause,
    });
  }

  /** Evicts the address that was seen least recently if there are too many. */
  private keep(bucket: string, known: Bucket): void {
    this.buckets.delete(bucket);
    this.buckets.set(bucket, known);
    if (this.buckets.size <= this.maxBuckets) return;
    for (const oldest of this.buckets.keys()) {
      this.buckets.delete(oldest);
      return;
    }
  }
}
