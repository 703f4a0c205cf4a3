import type { SourceBinding, IndexerActivities, IndexProgress } from '@launch/contracts/orchestration';

/** Milliseconds before another check of a source that does not advance by itself. */
export const RECHECK_MS = 60_000;
/** Runs of `followSource` in one run of the workflow; about ten history events each. */
export const ROUNDS_A_RUN = 500;

export interface IndexWork extends Pick<IndexerActivities, 'followSource'> {
  show(progress: IndexProgress): void;
  /** Ends after the time, or as soon as an operator sends an update. */
  pause(milliseconds: number): Promise<void>;
  /** Returns whether the history is long enough to continue in a new run. */
  isHistoryLong(rounds: number): boolean;
}

/**
 * Makes a source read until its end. The database has the position; no round passes state to the next.
 * @returns `ended` once its last block is checkpointed; `continue` when the history is long.
 */
export async function indexSourceLogic(
  { releaseDigest }: Pick<SourceBinding, 'releaseDigest'>,
  work: IndexWork,
): Promise<'ended' | 'continue'> {
  for (let rounds = 1; ; rounds += 1) {
    const progress = await work.followSource({ releaseDigest });
    work.show(progress);
    if (progress.state === 'ended') return 'ended';
    if (work.isHistoryLong(rounds)) return 'continue';
    if (progress.state === 'stopped' || progress.state === 'unsupported') await work.pause(RECHECK_MS);
  }
}
