import { AddressBuckets, quotaState, type Quota } from '@launch/platform/quotas';

/** Bounds of the work that this server does at once, and of one visitor's part of it. */
export interface Bounds {
  /** Pages of one visitor. */
  readonly pages: Quota;
  /** Responses in progress. */
  readonly places: number;
  readonly placesOfVisitor: number;
}

export const BOUNDS: Bounds = {
  pages: { quantity: 10, windowSeconds: 1, burst: 60 },
  places: 128,
  placesOfVisitor: 16,
};

/** Counts pages and responses in progress by visitor, so that one visitor leaves room for the others. */
export class VisitorBounds {
  private readonly buckets = new AddressBuckets();
  /** Has an entry for each visitor with a response in progress, so at most `places`. */
  private readonly inProgress = new Map<string, number>();
  private total = 0;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  /** Counts a page. Returns null, or over the quota the seconds until the next page fits. */
  countPage(visitor: string): number | null {
    const { pages } = this.bounds;
    const now = Math.floor(performance.now() * 1_000);
    const state = quotaState(pages, this.buckets.take(visitor, pages, now));
    return state.allowed ? null : state.resetSeconds;
  }

  /** Takes a place and returns the function that gives it back; null if the visitor's places or all are taken. */
  enter(visitor: string): (() => void) | null {
    const taken = this.inProgress.get(visitor) ?? 0;
    if (this.total >= this.bounds.places || taken >= this.bounds.placesOfVisitor) return null;
    this.total += 1;
    this.inProgress.set(visitor, taken + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.total -= 1;
      const left = (this.inProgress.get(visitor) ?? 1) - 1;
      if (left === 0) this.inProgress.delete(visitor);
      else this.inProgress.set(visitor, left);
    };
  }
}
