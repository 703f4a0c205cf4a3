import {
  LEAST_OFFER_SECONDS,
  type ObserveStepInput,
  type ObserveStepResult,
  type PlanFinalityActivities,
  type PlanGatewayActivities,
  type PlanMemory,
  type PlanOutcome,
  type PlanStepMemory,
  type RunPlanInput,
  type StepInput,
  type StepProjection,
  type SignedStepSimulation,
  type StepSimulationVerdict,
} from '@launch/contracts/orchestration';
import {
  hintsOf,
  inPlay,
  isEnded,
  isKnown,
  isOfferable,
  observed,
  offered,
  outcomeOf,
  runningStatusOf,
  settled,
  stepOf,
  unknownSteps,
  unsettled,
  withProofs,
  withStep,
  type PlanSteps,
} from './plan-state.js';
import type { ProofQueue } from './proof-queue.js';
import { isNews, projectionOf } from './step-projection.js';

export interface PlanWork {
  readonly finality: Pick<PlanFinalityActivities, 'readPlan' | 'buildPlanRecord'>;
  readonly gateway: PlanGatewayActivities;
  /** Returns null when the observation failed; nothing changes, and the next observation follows. */
  readonly observe: (input: ObserveStepInput) => Promise<ObserveStepResult | null>;
  /** Returns null when no observer could simulate the step. */
  readonly simulate: (input: StepInput) => Promise<StepSimulationVerdict | null>;
  readonly proofs: ProofQueue;
  /** Returns whether an operator asked for the observations that begin; their results are recorded in any case. */
  readonly takeRecheck: () => boolean;
  /** Returns whether an operator holds the next offer. */
  readonly isHeld: () => boolean;
  /**
   * Waits for the given time, or until a transaction is named or an operator sends an update. Returns whether one of them
   * ended the pause.
   * @param watched steps that are observed again afterwards.
   */
  readonly pause: (milliseconds: number, watched: readonly string[]) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns whether the history is long enough to continue in a new run. */
  readonly isHistoryLong: (observations: number) => boolean;
  /** Called whenever the plan's status changes. */
  readonly onStage: (stage: string) => void;
}

/** Time of a step's next observation, in milliseconds since 1970. */
interface NextObservation {
  /** Time at which the step is due. */
  readonly at: number;
  /** From when the step is observed along with others that are due. */
  readonly alongFrom: number;
}

export type RunPlanOutcome =
  | { readonly kind: PlanOutcome }
  /** Input of the new run that continues. */
  | { readonly kind: 'continue'; readonly input: RunPlanInput };

/** The first and the longest delay before a step that could not be offered is simulated again. */
const OFFER_AGAIN_MS = 1_000;
const OFFER_AGAIN_LONGEST_MS = 30_000;
/** The delay after an observation that failed. */
const OBSERVE_AGAIN_MS = 15_000;
/** The pause while every step has ended and no observation is due. */
const LONGEST_PAUSE_MS = 60_000;
/** The part of the delay until a step's next observation after which it is observed along with another step that is due. */
const ALONG_AFTER = 3 / 4;

/**
 * Takes a plan from its permit to its end: offers each step once its predecessors are included, observes every step that can
 * be on chain, and withdraws what a reorganisation removed. The finality rule decides the stage of a step, and the table of
 * states decides its transitions. An unavailable service never ends a plan; only the end of the permit window does.
 */
export async function runPlanLogic(work: PlanWork, input: RunPlanInput): Promise<RunPlanOutcome> {
  const run = new PlanRun(work, input);
  return run.go();
}

class PlanRun {
  private steps: PlanSteps = [];
  private readonly deadlineMs: number;
  private sequence: number;
  private observations = 0;
  private stage: string | null = null;
  /** Steps whose end an earlier run recorded. */
  private readonly past: ReadonlySet<string>;
  private readonly recorded = new Map<string, StepProjection>();
  private readonly refusedOffers = new Map<string, number>();
  /** Time of the next observation of each step. A step without an entry is observed at once. */
  private readonly nextObservations = new Map<string, NextObservation>();

  constructor(
    private readonly work: PlanWork,
    private readonly input: RunPlanInput,
  ) {
    this.deadlineMs = Number(input.deadline) * 1_000;
    this.sequence = input.resume?.sequence ?? 0;
    this.past = new Set(input.resume?.steps.filter(isEnded).map(({ stepId }) => stepId));
  }

  async go(): Promise<RunPlanOutcome> {
    await this.open();
    for (;;) {
      const isAsked = this.work.takeRecheck();
      await this.observeDue(isAsked);
      const outcome = outcomeOf(this.steps);
      if (outcome !== null) return this.end(outcome);
      await this.pause();
      this.takeProofs();
      if (this.work.isHistoryLong(this.observations)) return { kind: 'continue', input: this.next() };
    }
  }

  private async open(): Promise<void> {
    const { resume } = this.input;
    this.steps = resume?.steps ?? unknownSteps((await this.work.finality.readPlan(this.ref())).steps);
    this.takeProofs();
  }

  private ref() {
    const { planId, requestSha256, handoffSha256 } = this.input;
    return { planId, requestSha256, handoffSha256 };
  }

  private takeProofs(): void {
    this.steps = withProofs(this.steps, this.work.proofs.take());
  }

  /** Waits until a step is due. A hint or update that ends the pause makes every step due. */
  private async pause(): Promise<void> {
    const watched = inPlay(this.steps).map(({ stepId }) => stepId);
    const from = this.work.now();
    const until = Math.min(
      from + LONGEST_PAUSE_MS,
      ...watched.map((stepId) => this.nextObservations.get(stepId)?.at ?? from),
    );
    if (await this.work.pause(until - from, watched)) this.nextObservations.clear();
  }

  private isDue({ stepId }: PlanStepMemory): boolean {
    return (this.nextObservations.get(stepId)?.alongFrom ?? 0) <= this.work.now();
  }

  private scheduleIn(stepId: string, milliseconds: number): void {
    const now = this.work.now();
    this.nextObservations.set(stepId, { at: now + milliseconds, alongFrom: now + milliseconds * ALONG_AFTER });
  }

  /** Observes every step that is due, then those that became due by it. Records the results meanwhile. */
  private async observeDue(isAsked: boolean): Promise<void> {
    const seen = new Set<string>();
    let recording = Promise.resolve();
    for (;;) {
      const due = inPlay(this.steps).filter((step) => !seen.has(step.stepId) && (isAsked || this.isDue(step)));
      if (due.length === 0) return recording;
      const simulations = new Map<string, SignedStepSimulation>();
      const before = this.steps;
      const [answers] = await Promise.all([Promise.all(due.map((step) => this.observe(step))), recording]);
      this.observations += due.length;
      for (const { stepId, result } of answers) {
        seen.add(stepId);
        this.scheduleIn(stepId, pauseAfter(result));
        if (result === null) continue;
        this.steps = withStep(this.steps, observed(stepOf(this.steps, stepId), result));
      }
      for (const { stepId, result, verdict } of answers) {
        if (verdict === undefined) continue;
        if (verdict?.kind === 'agreed' && this.offer(stepId)) simulations.set(stepId, verdict.simulation);
        else this.scheduleIn(stepId, Math.min(pauseAfter(result), this.refuseOffer(stepId)));
      }
      this.steps = settled(this.steps);
      for (const { stepId } of unsettled(before, this.steps)) this.nextObservations.delete(stepId);
      recording = this.record(simulations, isAsked);
    }
  }

  private async observe(step: PlanStepMemory): Promise<{
    readonly stepId: string;
    readonly result: ObserveStepResult | null;
    /** Undefined when no simulation was asked for. */
    readonly verdict?: StepSimulationVerdict | null;
  }> {
    const { stepId, observed } = step;
    const observing = this.work.observe({ ...this.ref(), stepId, hints: hintsOf(step), before: observed });
    if (!isOfferable(step, this.steps) || !this.mayOffer()) return { stepId, result: await observing };
    const [result, verdict] = await Promise.all([observing, this.work.simulate({ ...this.ref(), stepId })]);
    return { stepId, result, verdict };
  }

  private mayOffer(): boolean {
    return !this.work.isHeld() && this.work.now() <= this.deadlineMs - LEAST_OFFER_SECONDS * 1_000;
  }

  /** Offers the step, unless a predecessor was lost meanwhile or an operator holds the plan. Returns whether it is offered. */
  private offer(stepId: string): boolean {
    const step = stepOf(this.steps, stepId);
    if (!isOfferable(step, this.steps) || !this.mayOffer()) return false;
    this.steps = withStep(this.steps, offered(step));
    this.refusedOffers.delete(stepId);
    return true;
  }

  private refuseOffer(stepId: string): number {
    const times = this.refusedOffers.get(stepId) ?? 0;
    this.refusedOffers.set(stepId, times + 1);
    return Math.min(OFFER_AGAIN_LONGEST_MS, OFFER_AGAIN_MS * 2 ** times);
  }

  /** Records the known steps that changed; a recheck records all of them. */
  private async record(simulations: ReadonlyMap<string, SignedStepSimulation>, isAsked: boolean): Promise<void> {
    const steps = this.steps
      .filter((step) => !this.past.has(step.stepId) && isKnown(step, this.steps))
      .map((step) => {
        const { stepId } = step;
        return projectionOf(step, simulations.get(stepId) ?? null);
      })
      .filter((now) => isAsked || isNews(this.recorded.get(now.stepId), now));
    if (steps.length === 0) return;
    const status = runningStatusOf(this.steps);
    await this.work.gateway.recordPlanSteps({
      planId: this.input.planId,
      sequence: this.nextSequence(),
      steps,
    });
    for (const step of steps) this.recorded.set(step.stepId, { ...step, simulation: null });
    this.reached(status);
  }

  private reached(stage: string): void {
    if (stage === this.stage) return;
    this.stage = stage;
    this.work.onStage(stage);
  }

  /** Greater with every write, over all runs of a plan. */
  private nextSequence(): number {
    this.sequence = Math.max(this.sequence + 1, this.work.now());
    return this.sequence;
  }

  private async end(outcome: PlanOutcome): Promise<RunPlanOutcome> {
    const record = outcome === 'finalized' ? await this.publicRecord() : null;
    await this.work.gateway.recordPlanEnded({
      planId: this.input.planId,
      sequence: this.nextSequence(),
      outcome,
      record,
    });
    this.reached(outcome);
    return { kind: outcome };
  }

  /** The last step stamps the launch; its evidence is the record's. */
  private async publicRecord() {
    const last = this.steps.at(-1);
    if (last?.observed == null || last.evidenceSha256 === null)
      throw new TypeError('a finalized plan names the evidence of its last step');
    const { evidenceSha256, observed } = last;
    return { ...(await this.work.finality.buildPlanRecord({ ...this.ref(), observed })), evidenceSha256 };
  }

  private next(): RunPlanInput {
    const memory: PlanMemory = {
      sequence: this.sequence,
      held: this.work.isHeld(),
      steps: this.steps.map(withoutPast),
    };
    return { ...this.input, proofs: [], resume: memory };
  }
}

const pauseAfter = (result: ObserveStepResult | null): number => result?.nextPollMs ?? OBSERVE_AGAIN_MS;

/**
 * Returns the state of a step for a later run. An ended step keeps its end and the evidence for the record or the
 * findings of the plan.
 */
const withoutPast = (step: PlanStepMemory, index: number, { length }: PlanSteps): PlanStepMemory => {
  if (!isEnded(step)) return step;
  const isNeeded = step.status === 'reverted' || index === length - 1;
  return { ...step, transactions: [], observed: isNeeded ? step.observed : null };
};
