import {
  STALE_AFTER_SECONDS,
  STALLED_AFTER_SECONDS,
  type PublishedSource,
  type ReadStatus,
} from '@launch/contracts/index';

const MILLISECONDS = 1_000;
/** States in which a source finds nothing new, so that a coin may be missing for as long. */
const BROKEN: readonly PublishedSource['state'][] = ['stopped', 'unsupported'];

/** What a coverage is judged by. */
export type Coverage = Pick<
  PublishedSource,
  'document' | 'state' | 'checkpoint_number' | 'checkpoint_at' | 'finalized_head' | 'progressed_at' | 'has_holds'
>;

/** Whether a source has an end and is there: nothing new can come of it. */
export const isWhole = ({ document: { endBlock }, checkpoint_number: checkpoint }: Coverage): boolean =>
  endBlock !== null && checkpoint !== null && BigInt(checkpoint) >= BigInt(endBlock);

/** How sure it is that what these sources have is in the index. Without a source nothing is; a hold may hide a launch. */
export function freshnessOf(sources: readonly Coverage[], nowMs: number): ReadStatus {
  const going = sources.filter((source) => !isWhole(source));
  if (sources.length === 0 || sources.some(({ has_holds: hasHolds }) => hasHolds)) return 'indeterminate';
  if (going.some(({ state, checkpoint_at: at }) => at === null || BROKEN.includes(state))) return 'indeterminate';
  const since = Math.min(...going.map(({ progressed_at: at }) => at.getTime()));
  if (nowMs - since > STALLED_AFTER_SECONDS * MILLISECONDS) return 'stale';
  const oldest = Math.min(...going.map(({ checkpoint_at: at }) => at?.getTime() ?? 0));
  return nowMs - oldest > STALE_AFTER_SECONDS * MILLISECONDS ? 'stale' : 'ok';
}

/** When one of some sources was last written. */
export const lastUpdateOf = (sources: readonly Pick<PublishedSource, 'updated_at'>[]): string | null =>
  sources.length === 0 ? null : new Date(Math.max(...sources.map(({ updated_at: at }) => at.getTime()))).toISOString();
