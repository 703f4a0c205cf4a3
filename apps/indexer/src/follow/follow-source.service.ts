import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexStanding } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { SourceRow } from '../rows/source.repository.js';
import { followStep, type StepOutcome, type StepParts } from './follow-step.js';
import { newStepMemory, type StepMemory } from './step-memory.js';

export interface FollowParts extends StepParts {
  /** Milliseconds between two looks where nothing is to be done. */
  readonly pollMs: number;
  /** How long one run of the activity goes on. */
  readonly runMs: number;
  /** Aborted when the worker is about to end: a run ends with the step that it is at. */
  readonly stopping: AbortSignal;
  /** Called with each step's outcome. */
  readonly onStep: (row: SourceRow, outcome: StepOutcome) => void;
}

/** Trouble that lasts is shown; observers near the head differ for a moment all the time. */
const SHOWN_AFTER_MS = 5_000;
/** A checkpoint that is as far as it can be is said to be so again after this. */
const CURRENT_EVERY_MS = 10_000;
/** Changes of the state are told to the workflow at once, but for those of the first moments. */
const TOLD_AFTER_MS = 5_000;

/** Has sources read on, step by step, for as long as a run may take. */
export class FollowSource {
  /** Memory of each source over the runs of the activity: refusals of a place count on in the next run. */
  readonly #memories = new Map<Sha256Digest, StepMemory>();

  constructor(private readonly parts: FollowParts) {}

  async follow(releaseDigest: Sha256Digest, signal: AbortSignal): Promise<IndexStanding> {
    const { sources, now, pollMs, runMs, stopping } = this.parts;
    const either = AbortSignal.any([signal, stopping]);
    const memory = this.#memoryOf(releaseDigest);
    const begun = now();
    let troubledSince: number | null = null;
    let toldState: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const row = await this.#find(releaseDigest);
      toldState ??= row.state;
      const outcome = await followStep(this.parts, row, memory);
      this.parts.onStep(row, outcome);
      troubledSince = outcome.state === 'waiting' ? (troubledSince ?? now()) : null;
      const isShown = troubledSince === null || now() - troubledSince >= SHOWN_AFTER_MS;
      if (isShown) await this.#mark(row, outcome);
      const isOver = outcome.state === 'ended' || outcome.state === 'stopped' || outcome.state === 'unsupported';
      const isNews = isShown && outcome.state !== toldState && now() - begun >= TOLD_AFTER_MS;
      if (isOver || isNews || stopping.aborted || now() - begun >= runMs) return sources.standing(releaseDigest);
      // An abort ends the pause: one of the signal is seen at once, the worker's end after one more step.
      const pauseMs = Math.max(pollMs, outcome.retryMs ?? 0);
      if (!outcome.isBusy) await sleep(pauseMs, undefined, { signal: either }).catch(() => undefined);
    }
  }

  #memoryOf(releaseDigest: Sha256Digest): StepMemory {
    const kept = this.#memories.get(releaseDigest) ?? newStepMemory(this.parts);
    this.#memories.set(releaseDigest, kept);
    return kept;
  }

  /** How often the place that stands in the way of a source was refused; 0 where none does. */
  refusalsOf(releaseDigest: Sha256Digest): number {
    return this.#memories.get(releaseDigest)?.troubles.mostRefused ?? 0;
  }

  async #find(releaseDigest: Sha256Digest): Promise<SourceRow> {
    const row = await this.parts.sources.find(releaseDigest);
    if (row === null) throw new Error(`no source ${releaseDigest}`);
    return row;
  }

  /** Written where something differs, or the checkpoint's freshness has to be said again. */
  async #mark(row: SourceRow, { state, reason, finalizedHead, isCurrent, isAtHead }: StepOutcome): Promise<void> {
    const isLately = (at: Date | null): boolean => at !== null && this.parts.now() - at.getTime() < CURRENT_EVERY_MS;
    const isFresh = (!isCurrent || isLately(row.checkpointAt)) && (!isAtHead || isLately(row.progressedAt));
    const differs = state !== row.state || reason !== row.stateReason;
    const isBehind = finalizedHead !== null && finalizedHead !== row.finalizedHead;
    if (!differs && !isBehind && isFresh) return;
    await this.parts.sources.mark(row.releaseDigest, { state, reason, finalizedHead, isCurrent, isAtHead });
  }
}
