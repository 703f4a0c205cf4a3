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

/** Builders that may be lost over one plan. */
const MAX_LOSSES = 3;
/** Milliseconds before a builder is asked again that is not of the policy; the last one before all others. */
export const BUILDER_PAUSES = [5_000, 15_000, 60_000, 300_000, 900_000] as const;

/** What the review does, as its workflow reaches it. */
export interface ReviewWork extends ModuleReviewActivities {
  /** Null when a builder of the policy answers, else why not; waits for as long as none is there to ask. */
  askBuilder(question: AttestationInput): Promise<string | null>;
  /** Before the builder is asked again, which answered with this code so often. */
  pause(milliseconds: number, code: string, attempts: number): Promise<void>;
  /** Resolves at once unless an operator holds the review: then with the release. */
  released(): Promise<unknown>;
  /** Whether the history has become long enough to go on in a new run. */
  isHistoryLong(): boolean;
  /** One attempt; null when its builder was lost. */
  build(input: BuildInput): Promise<BuildVerdict | null>;
  /** What keeps a plan that was attached before from being built by the policy of now; null for nothing. */
  judgePlanAgain: ModuleReviewActivities['judgePlan'];
  /** The gateway and the operator are told. */
  show(record: ReviewRecord): Promise<void>;
  until(holds: () => boolean): Promise<unknown>;
}

type PlanProblem = Awaited<ReturnType<ModuleReviewActivities['judgePlan']>>;

/** Refuses an update before anything is written. */
export type Reject = (code: (typeof REVIEW_REJECTIONS)[keyof typeof REVIEW_REJECTIONS], message: string) => Error;

/**
 * One submission's review. One thing at a time writes: an update that comes meanwhile waits, and is refused where its
 * revision has passed by then.
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
    await this.#alone(async () => {
      await this.#stand(await this.work.openReview(this.subject));
      // Nobody waits any more for what was being built when the run before this one was lost.
      if (this.state === 'running') await this.#endUncounted(await this.#planProblem());
    });
    for (;;) {
      if (isReviewEnd(this.state)) return this.state;
      if (this.state === 'queued' && (await this.#buildPlan()) === 'continue') return 'continue';
      await this.work.until(() => !this.#isWriting && (this.#moves() || this.work.isHistoryLong()));
      if (!this.#moves()) return 'continue';
    }
  }

  /** Whether it goes on without a reviewer. */
  #moves(): boolean {
    return this.state === 'queued' || isReviewEnd(this.state);
  }

  /** @throws what `reject` makes, for a revision or state in which the trigger moves nothing. */
  check(revision: unknown, trigger: ReviewTrigger): void {
    if (revision !== this.revision)
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

  #act(revision: number, trigger: ReviewTrigger, work: () => Promise<ReviewAnswer>): Promise<ReviewAnswer> {
    return this.#alone(() => {
      // What was written before it may have left the revision that it was validated for.
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

  /** Attempts until a builder answers, or the third is lost. */
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
      // Who signs for nothing built nothing: such an answer is a lost builder's.
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

  /** Until then the review is queued: a builder of another policy changes nothing. False: a new run goes on waiting. */
  async #awaitBuilder(question: AttestationInput): Promise<boolean> {
    for (let asked = 1; ; asked += 1) {
      await this.work.released();
      const code = await this.work.askBuilder(question);
      if (code === null) {
        // It may have been held while the builder was asked.
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
   * A build that does not count: where the policy was replaced meanwhile, no builder builds this plan any more, and a reviewer
   * attaches another one. Else a builder was lost over it: the next one follows, until the third.
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
