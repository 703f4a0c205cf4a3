import { capacityMicros, emissionMicros, type Quota, type Verdict } from './quotas.js';

const MAX_BUCKETS = 50_000;
/** Of what is left of a bucket this part is held at most, so that a process which holds it shuts nobody out elsewhere. */
const HELD_PART = 1 / 16;
/** Nothing is held for longer: what a client is told of its bucket is no older. */
const MAX_HELD_MICROS = 1_000_000;

interface Bucket {
  /** Where the next request is counted, unless that is past. */
  readonly arrival: number;
  /** Up to here requests were counted in advance for this process; nothing when it is not after `arrival`. */
  readonly heldUntil: number;
  /** When slots held are given up. */
  readonly heldBefore: number;
  /** When the last request came. */
  readonly seen: number;
  /** How long after the one before it the last one came that was not held; infinite for a new bucket. */
  readonly pause: number;
}

/**
 * Buckets of addresses as this process knows them. An address over its quota here is refused without asking anybody,
 * and while nobody answers, this count is the verdict. Times are microseconds of a clock that never steps back.
 *
 * A bucket is a line of slots, each as long as a request at the average rate takes. A request fits that takes a
 * slot not yet begun, at most `burst` slots ahead. Slots that the shared count has given to this process are its own: it
 * grants them without asking. A slot whose time has come is worth nothing any more, held or not.
 */
export class AddressBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly maxBuckets = MAX_BUCKETS) {}

  /** Counts a request if it fits. */
  take(bucket: string, quota: Quota, now: number): Verdict {
    const known = this.buckets.get(bucket);
    const verdict = this.peek(bucket, quota, now);
    // A refused one is remembered anew as well: who keeps asking is not the one to be forgotten.
    this.keep(bucket, {
      arrival: now + verdict.aheadMicros,
      heldUntil: 0,
      heldBefore: 0,
      seen: now,
      pause: now - (known?.seen ?? -Infinity),
    });
    return verdict;
  }

  /** Counts a request in a slot held; null when none is left. */
  takeHeld(bucket: string, quota: Quota, now: number): Verdict | null {
    const known = this.buckets.get(bucket);
    if (known === undefined || now >= known.heldBefore) return null;
    const arrival = Math.max(known.arrival, now) + emissionMicros(quota);
    if (arrival > known.heldUntil) return null;
    this.keep(bucket, { ...known, arrival, seen: now });
    return { allowed: true, aheadMicros: arrival - now };
  }

  /** What `take` would say; counts nothing. */
  peek(bucket: string, quota: Quota, now: number): Verdict {
    const ahead = Math.max(this.buckets.get(bucket)?.arrival ?? 0, now) - now;
    const counted = ahead + emissionMicros(quota);
    return counted > capacityMicros(quota)
      ? { allowed: false, aheadMicros: ahead }
      : { allowed: true, aheadMicros: counted };
  }

  /** How many slots more than its last request to hold of a bucket: those an address will use that keeps coming as it does. */
  worthHolding(bucket: string, quota: Quota, now: number): number {
    const known = this.buckets.get(bucket);
    if (known === undefined) return 0;
    const interval = emissionMicros(quota);
    const ahead = known.arrival - interval - now;
    const micros = Math.min((capacityMicros(quota) - Math.max(0, ahead)) * HELD_PART, MAX_HELD_MICROS);
    // Slots that lie ahead wait to be used, and are lost when they are not. Others pass, whoever has them.
    const used = ahead > 0 ? MAX_HELD_MICROS / known.pause : known.pause < micros ? Infinity : 0;
    return Math.floor(Math.min(micros / interval, used));
  }

  /**
   * Takes over how far ahead a bucket was at `at`, and how far it is with the slots now held.
   * @param at when that was asked, not when it was heard: a slot ends no later here than where it is counted.
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

  /** The oldest visitor is forgotten when there are too many. */
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
