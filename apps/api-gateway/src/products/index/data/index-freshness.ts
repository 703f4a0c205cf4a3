import {
  STALE_AFTER_SECONDS,
  STALLED_AFTER_SECONDS,
  type PublishedSource,
  type ReadStatus,
} from '@launch/contracts/index';

const MILLISECONDS = 1_000;
/** States in which a source reads nothing new, so that a coin may be missing. */
const BROKEN: readonly PublishedSource['state'][] = ['stopped', 'unsupported'];

/** The columns by which coverage is judged. */
export type Coverage = Pick<
  PublishedSource,
  'document' | 'state' | 'checkpoint_number' | 'checkpoint_at' | 'finalized_head' | 'progressed_at' | 'has_holds'
>;

/** Returns whether a source has reached its last block, after which it has no new launches. */
export const isComplete = ({ document: { endBlock }, checkpoint_number: checkpoint }: Coverage): boolean =>
  endBlock !== null && checkpoint !== null && BigInt(checkpoint) >= BigInt(endBlock);

/** Rates how surely the index contains all launches of these sources. Without a source it is unknown; a hold may hide a launch. */
export function freshnessOf(sources: readonly Coverage[], nowMs: number): ReadStatus {
  const going = sources.filter((source) => !isComplete(source));
  if (sources.length === 0 || sources.some(({ has_holds: hasHolds }) => hasHolds)) return 'indeterminate';
  if (going.some(({ state, checkpoint_at: at }) => at === null || BROKEN.includes(state))) return 'indeterminate';
  const since = Math.min(...going.map(({ progressed_at: at }) => at.getTime()));
  if (nowMs - since > STALLED_AFTER_SECONDS * MILLISECONDS) return 'stale';
  const oldest = Math.min(...going.map(({ checkpoint_at: at }) => at?.getTime() ?? 0));
  return nowMs - oldest > STALE_AFTER_SECONDS * MILLISECONDS ? 'stale' : 'ok';
}

/** Returns the last update of any of the sources. */
export const lastUpdateOf = (sources: readonly Pick<PublishedSource, 'updated_at'>[]): string | null =>
  sources.length === 0 ? null : new Date(Math.max(...sources.map(({ updated_at: at }) => at.getTime()))).toISOString();
