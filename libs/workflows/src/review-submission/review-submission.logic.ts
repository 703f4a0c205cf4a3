import {
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
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import { isReviewEnd, nextReviewState, type ReviewState, type ReviewTrigger } from '@launch/contracts/states';

/** The most builders that may be lost with one plan. */
const MAX_LOSSES = 3;
/** Milliseconds before the next question to a builder of another policy; the last one repeats. */
export const BUILDER_PAUSES = [5_000, 15_000, 60_000, 300_000, 900_000] as const;

/** The services of a review, as its workflow calls them. */
export interface ReviewWork extends ModuleReviewActivities {
  /** Returns null if a builder of the policy answers, otherwise the reason. Waits while there is no builder. */
  askBuilder(question: AttestationInput): Promise<string | null>;
  /** Waits before the next question to a builder that answered with this code so often. */
  pause(milliseconds: number, code: string, attempts: number): Promise<void>;
  /** Resolves immediately, or with the release if an operator holds the review. */
  released(): Promise<unknown>;
  /** Returns whether the history is long enough to continue in a new run. */
  isHistoryLong(): boolean;
  /** Makes one attempt; null if its builder was lost. */
  build(input: BuildInput): Promise<BuildVerdict | null>;
  /** Returns the reason why the current policy cannot build an attached plan; null if it can. */
  judgePlanAgain: ModuleReviewActivities['judgePlan'];
  /** Reports the state to the gateway and the operator. */
  show(record: ReviewRecord): Promise<void>;
  until(holds: () => boolean): Promise<unknown>;
}

type PlanProblem = Awaited<ReturnType<ModuleReviewActivities['judgePlan']>>;

/** Rejects an update before anything is written. */
export type Reject = (code: (typeof REVIEW_REJECTIONS)[keyof typeof REVIEW_REJECTIONS], message: string) => Error;

/**
 * One submission's review. Writes are sequential: a concurrent update waits, and is refused if its revision is outdated
 * by then.
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
   * Takes the review from the draft, or from the state of an earlier run, to a decision.
   * @returns its end, or `continue` when the history is long and no write is in progress. The caller then continues in
   * a new run, because the database has the whole state.
   */
  async run(): Promise<ReviewState | 'continue'> {
    await this.#alone(async () => {
      await this.#stand(await this.work.openReview(this.subject));
      // The previous run was lost during a build, whose result has no receiver any more.
      if (this.state === 'running') await this.#endUncounted(await this.#planProblem());
    });
    for (;;) {
      if (isReviewEnd(this.state)) return this.state;
      if (this.state === 'queued' && (await this.#buildPlan()) === 'continue') return 'continue';
      await this.work.until(() => !this.#isWriting && (this.#moves() || this.work.isHistoryLong()));
      if (!this.#moves()) return 'continue';
    }
  }

  /** Returns whether the review continues without a reviewer. */
  #moves(): boolean {
    return this.state === 'queued' || isReviewEnd(this.state);
  }

  /** Checks an update. @throws the error of `reject` for a revision or state that does not allow the trigger. */
  check(revision: unknown, trigger: ReviewTrigger): void {
    if (revision !== this.revision)
      throw this.reject(REVIEW_REJECTIONS.stale, `the review is at revision ${this.revision}`);
    if (nextReviewState(this.state, trigger) === null)
      throw this.reject(REVIEW_REJECTIONS.state, `a review that is ${this.state} takes no ${trigger}`);
  }

  /** Attaches a plan even if it exceeds the profile, so that the author reads the reason. */
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

  /** Builds the failed plan once more, for an operator who removed the cause. */
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

  #act(revision: number, trigger: ReviewTrigger, work: () => Promise<ReviewAnswer>): Promise<ReviewAnswer> {
    return this.#alone(() => {
      // An earlier write may have changed the revision that the update was validated for.
      this.check(revision, trigger);
      return work();
    });
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isWriting) await this.work.until(() => !this.#isWriting);
    this.#isWriting = true;
    try {
      return await work();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Repeats the build until a builder answers or the third is lost. */
  async #buildPlan(): Promise<'done' | 'continue'> {
    while (this.state === 'queued') {
      const planSha256 = this.#record?.planSha256 ?? null;
      if (planSha256 === null) throw new Error('a queued review has a plan');
      const { submissionId } = this.subject;
      const attempt = (this.#record?.attempt ?? 0) + 1;
      const { input, question } = await this.work.prepareBuild({ submissionId, planSha256, attempt });
      if (!(await this.#awaitBuilder(question))) return 'continue';
      await this.#alone(() => this.#move('build_started', { attempt }));
      const verdict = await this.work.build(input);
      // A result without a valid signature counts as a lost builder.
      const counts =
        verdict !== null &&
        (verdict.status === 'failed' ||
          (await this.work.checkBuild({ submissionId, planSha256, attempt, build: verdict })));
      const problem = counts ? null : await this.#planProblem();
      await this.#alone(() => {
        if (!counts) return this.#endUncounted(problem);
        if (verdict.status === 'built') return this.#move('build_succeeded', { build: verdict });
        const { code, place } = verdict;
        return this.#move('build_failed', { failure: { code, place } });
      });
    }
    return 'done';
  }

  /**
   * Waits for a builder of the policy; the review stays queued meanwhile. Returns false if a new run should continue
   * the wait.
   */
  async #awaitBuilder(question: AttestationInput): Promise<boolean> {
    for (let asked = 1; ; asked += 1) {
      await this.work.released();
      const code = await this.work.askBuilder(question);
      if (code === null) {
        // An operator may have held the review during the question.
        await this.work.released();
        return true;
      }
      if (this.work.isHistoryLong()) return false;
      await this.work.pause(BUILDER_PAUSES[Math.min(asked, BUILDER_PAUSES.length) - 1]!, code, asked);
    }
  }

  async #planProblem(): Promise<PlanProblem> {
    const planSha256 = this.#record?.planSha256 ?? null;
    return planSha256 === null
      ? null
      : this.work.judgePlanAgain({ submissionId: this.subject.submissionId, planSha256 });
  }

  /**
   * Handles a build without a valid result. If the policy was replaced, no builder builds this plan any more, and a
   * reviewer attaches another one. Otherwise a builder was lost, and the next one follows, up to the third.
   */
  #endUncounted(problem: PlanProblem): Promise<void> {
    if (problem !== null) return this.#move('build_failed', { failure: problem });
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
