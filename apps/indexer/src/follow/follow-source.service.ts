import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexProgress } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { SourceRow } from '../rows/source.repository.js';
import { followStep, type StepOutcome, type StepParts } from './follow-step.js';
import { newStepMemory, type StepMemory } from './step-memory.js';

export interface FollowParts extends StepParts {
  /** Milliseconds between two polls while there is nothing to do. */
  readonly pollMs: number;
  /** Maximum milliseconds of one run of the activity. */
  readonly runMs: number;
  /** Aborted when the worker shuts down: a run ends after its current step. */
  readonly stopping: AbortSignal;
  /** Called with each step's outcome. */
  readonly onStep: (row: SourceRow, outcome: StepOutcome) => void;
}

/** Milliseconds after which a fault is published; observers near the head differ briefly all the time. */
const SHOWN_AFTER_MS = 5_000;
/** Milliseconds after which an unchanged checkpoint is confirmed again. */
const CURRENT_EVERY_MS = 10_000;
/** Milliseconds of a run before state changes are reported to the workflow at once. */
const REPORTED_AFTER_MS = 5_000;

/** Advances sources step by step for as long as a run may take. */
export class FollowSource {
  /**
   * The memory of each source across runs of the activity: the refusals of a place continue to count in the next run.
   */
  readonly #memories = new Map<Sha256Digest, StepMemory>();

  constructor(private readonly parts: FollowParts) {}

  async follow(releaseDigest: Sha256Digest, signal: AbortSignal): Promise<IndexProgress> {
    const { sources, now, pollMs, runMs, stopping } = this.parts;
    const either = AbortSignal.any([signal, stopping]);
    const memory = this.#memoryOf(releaseDigest);
    const begun = now();
    let troubledSince: number | null = null;
    let reportedState: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#find(releaseDigest);
      reportedState ??= row.state;
      const outcome = await followStep(this.parts, row, memory);
      this.parts.onStep(row, outcome);
      troubledSince = outcome.state === 'waiting' ? (troubledSince ?? now()) : null;
      const isShown = troubledSince === null || now() - troubledSince >= SHOWN_AFTER_MS;
      if (isShown) await this.#mark(row, outcome);
      const isOver = outcome.state === 'ended' || outcome.state === 'stopped' || outcome.state === 'unsupported';
      const isNews = isShown && outcome.state !== reportedState && now() - begun >= REPORTED_AFTER_MS;
      if (isOver || isNews || stopping.aborted || now() - begun >= runMs) return sources.progress(releaseDigest);
      // An abort ends the pause: cancellation takes effect at once, a worker's shutdown after one more step.
      const pauseMs = Math.max(pollMs, outcome.retryMs ?? 0);
      if (!outcome.isBusy) await sleep(pauseMs, undefined, { signal: either }).catch(() => undefined);
    }
  }

  #memoryOf(releaseDigest: Sha256Digest): StepMemory {
    const kept = this.#memories.get(releaseDigest) ?? newStepMemory(this.parts);
    this.#memories.set(releaseDigest, kept);
    return kept;
  }

  /** Returns the number of refusals of a source's current obstacle; 0 without one. */
  refusalsOf(releaseDigest: Sha256Digest): number {
    return this.#memories.get(releaseDigest)?.troubles.mostRefused ?? 0;
  }

  async #find(releaseDigest: Sha256Digest): Promise<SourceRow> {
    const row = await this.parts.sources.find(releaseDigest);
    if (row === null) throw new Error(`no source ${releaseDigest}`);
    return row;
  }

  /** Writes the state if it changed, or if the checkpoint's freshness must be confirmed. */
  async #mark(row: SourceRow, { state, reason, finalizedHead, isCurrent, isAtHead }: StepOutcome): Promise<void> {
    const isLately = (at: Date | null): boolean => at !== null && this.parts.now() - at.getTime() < CURRENT_EVERY_MS;
    const isFresh = (!isCurrent || isLately(row.checkpointAt)) && (!isAtHead || isLately(row.progressedAt));
    const differs = state !== row.state || reason !== row.stateReason;
    const isBehind = finalizedHead !== null && finalizedHead !== row.finalizedHead;
    if (!differs && !isBehind && isFresh) return;
    await this.parts.sources.mark(row.releaseDigest, { state, reason, finalizedHead, isCurrent, isAtHead });
  }
}
