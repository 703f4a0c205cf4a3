import {
  nextReviewState,
  REVIEW_REJECTIONS,
  type AttestationInput,
  type BuildInput,
  type BuildVerdict,
  type DecisionUpdate,
  type ModuleReviewActivities,
  type PlanUpdate,
  type ReviewAnswer,
  type ReviewMove,
  type ReviewRecord,
  type ReviewState,
  type ReviewSubject,
  type ReviewTrigger,
} from '@launch/contracts/orchestration';

/** Builders that may be lost over one plan. */
const MAX_LOSSES = 3;
/** Milliseconds before a builder is asked again that is not of the policy; the last one before all others. */
export const BUILDER_PAUSES = [5_000, 15_000, 60_000, 300_000, 900_000] as const;
const ENDS: ReadonlySet<ReviewState> = new Set(['changes_requested', 'rejected', 'accepted']);

/** What the review does, as its workflow reaches it. */
export interface ReviewWork extends ModuleReviewActivities {
  /** Whether a builder of the policy answers; waits for as long as none is there to ask. */
  askBuilder(question: AttestationInput): Promise<boolean>;
  pause(milliseconds: number): Promise<void>;
  /** Whether the history has become long enough to go on in a new run. */
  isHistoryLong(): boolean;
  /** One attempt; null when its builder was lost. */
  build(input: BuildInput): Promise<BuildVerdict | null>;
  /** The gateway and the operator are told. */
  show(record: ReviewRecord): Promise<void>;
  until(holds: () => boolean): Promise<unknown>;
}

/** Refuses an update before anything is written. */
export type Reject = (code: (typeof REVIEW_REJECTIONS)[keyof typeof REVIEW_REJECTIONS], message: string) => Error;

/**
 * One submission's review. Updates and builds never write at once: an update that comes while something is written is of
 * a revision that is about to pass.
 */
export class Review {
  #record: ReviewRecord | undefined;
  #isWriting = false;

  constructor(
    private readonly subject: ReviewSubject,
    private readonly work: ReviewWork,
    private readonly reject: Reject,
  ) {}

  get state(): ReviewState {
    return this.#record?.state ?? 'awaiting_plan';
  }

  get revision(): number {
    return this.#record?.revision ?? 0;
  }

  /**
   * From the draft, or from where an earlier run left it, to a decision.
   * @returns its end; `continue` when the history is long and nothing is being written: the caller goes on in a new run,
   *   since all that is known stands in the database.
   */
  async run(): Promise<ReviewState | 'continue'> {
    this.#isWriting = true;
    await this.#stand(await this.work.openReview(this.subject));
    // Nobody waits any more for what was being built when the run before this one was lost.
    if (this.state === 'running') await this.#lose();
    this.#isWriting = false;
    for (;;) {
      if (ENDS.has(this.state)) return this.state;
      if (this.state === 'queued' && (await this.#buildPlan()) === 'continue') return 'continue';
      await this.work.until(() => !this.#isWriting && (this.#moves() || this.work.isHistoryLong()));
      if (!this.#moves()) return 'continue';
    }
  }

  /** Whether it goes on without a reviewer. */
  #moves(): boolean {
    return this.state === 'queued' || ENDS.has(this.state);
  }

  /** @throws what `reject` makes, for a revision or state in which the trigger moves nothing. */
  check(revision: unknown, trigger: ReviewTrigger): void {
    if (revision !== this.revision || this.#isWriting)
      throw this.reject(REVIEW_REJECTIONS.stale, `the review is at revision ${this.revision}`);
    if (nextReviewState(this.state, trigger) === null)
      throw this.reject(REVIEW_REJECTIONS.state, `a review that is ${this.state} takes no ${trigger}`);
  }

  /** A plan that the profile cannot take is attached all the same, so that the author reads why. */
  attachPlan({ revision, planSha256 }: PlanUpdate): Promise<ReviewAnswer> {
    return this.#act(revision, 'plan_attached', async () => {
      const { submissionId } = this.subject;
      const problem = await this.work.judgePlan({ submissionId, planSha256 });
      if (problem !== null && problem.code !== 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED')
        return { kind: 'refused', ...problem };
      await this.#move('plan_attached', { planSha256 });
      return problem === null ? this.#moved() : { kind: 'refused', ...problem };
    });
  }

  /** The plan that failed once more, for an operator who mended what it failed of. */
  requeue({ revision }: { readonly revision: number }): Promise<ReviewAnswer> {
    return this.#act(revision, 'plan_attached', async () => {
      await this.#move('plan_attached', {});
      return this.#moved();
    });
  }

  decide({ revision, outcome, decisionSha256 }: DecisionUpdate): Promise<ReviewAnswer> {
    return this.#act(revision, outcome, async () => {
      const { submissionId } = this.subject;
      const code = await this.work.judgeDecision({ submissionId, revision, outcome, decisionSha256 });
      if (code !== null) return { kind: 'refused', code, place: '' };
      await this.#move(outcome, { decisionSha256 });
      return this.#moved();
    });
  }

  get hasPlan(): boolean {
    return this.#record?.planSha256 != null;
  }

  async #act(revision: number, trigger: ReviewTrigger, work: () => Promise<ReviewAnswer>): Promise<ReviewAnswer> {
    // Two updates may have been validated before the first of them began.
    this.check(revision, trigger);
    this.#isWriting = true;
    try {
      return await work();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Attempts until a builder answers, or the third is lost. */
  async #buildPlan(): Promise<'done' | 'continue'> {
    while (this.state === 'queued') {
      const planSha256 = this.#record?.planSha256 ?? null;
      if (planSha256 === null) throw new Error('a queued review has a plan');
      const { submissionId } = this.subject;
      const attempt = (this.#record?.attempt ?? 0) + 1;
      const { input, question } = await this.work.prepareBuild({ submissionId, planSha256, attempt });
      if (!(await this.#awaitBuilder(question))) return 'continue';
      await this.#move('build_started', { attempt });
      const verdict = await this.work.build(input);
      // Who signs for nothing built nothing: such an answer is a lost builder's.
      const counts =
        verdict !== null &&
        (verdict.status === 'failed' ||
          (await this.work.checkBuild({ submissionId, planSha256, attempt, build: verdict })));
      if (!counts) await this.#lose();
      else if (verdict.status === 'failed') {
        const { code, place } = verdict;
        await this.#move('build_failed', { failure: { code, place } });
      } else await this.#move('build_succeeded', { build: verdict });
    }
    return 'done';
  }

  /** Until then the review is queued: a builder of another policy changes nothing. False: a new run goes on waiting. */
  async #awaitBuilder(question: AttestationInput): Promise<boolean> {
    for (let asked = 0; !(await this.work.askBuilder(question)); asked += 1) {
      if (this.work.isHistoryLong()) return false;
      await this.work.pause(BUILDER_PAUSES[Math.min(asked, BUILDER_PAUSES.length - 1)]!);
    }
    return true;
  }

  /** A builder was lost over the plan: another one follows it, until the third. */
  #lose(): Promise<void> {
    return (this.#record?.losses ?? 0) + 1 < MAX_LOSSES
      ? this.#move('builder_lost', {})
      : this.#move('job_abandoned', { failure: { code: 'JOB_ABANDONED', place: '' } });
  }

  async #move(trigger: ReviewTrigger, facts: Partial<ReviewMove>): Promise<void> {
    const record = this.#record;
    if (record === undefined) throw new Error('a review moves after it was opened');
    const { revision, attempt, planSha256 } = record;
    const move: ReviewMove = {
      submissionId: this.subject.submissionId,
      revision,
      trigger,
      attempt,
      planSha256,
      failure: null,
      build: null,
      decisionSha256: null,
      ...facts,
    };
    await this.#stand(await this.work.moveReview(move));
  }

  async #stand(record: ReviewRecord): Promise<void> {
    this.#record = record;
    await this.work.show(record);
  }

  #moved(): ReviewAnswer {
    return { kind: 'moved', state: this.state, revision: this.revision };
  }
}
