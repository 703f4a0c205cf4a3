import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import {
  SEARCH_ATTRIBUTES,
  STATEMENT_OUTDATED,
  STEP_PROOF_SIGNAL,
  TASK_QUEUES,
  type NamedProof,
  type PlanAdmissionActivities,
  type PlanFinalityActivities,
  type PlanGatewayActivities,
  type PlanOutcome,
  type RunPlanInput,
} from '@launch/contracts/orchestration';
import { RecheckRequests } from '../operator/recheck-requests.js';
import { OperatorConsole } from '../operator/operator-console.js';
import { NextStepHold } from '../operator/next-step-hold.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { answered, boundedSteps, type Patience } from '../steps/bounded-steps.js';
import { endlessPatience } from '../steps/patient-steps.js';
import { StepAbandoned } from '../steps/step-end.js';
import { ProofQueue } from './proof-queue.js';
import { runPlanLogic } from './run-plan.logic.js';

/** The stage of a plan with failing work; its memo names the step and the reason. */
const TROUBLED = 'troubled';
const HELD = 'held';

/** A client named a transaction for a step; the workflow observes immediately. */
export const stepProof = defineSignal<[NamedProof]>(STEP_PROOF_SIGNAL);

/** The most observations of one run, with about eight history events each. */
const LOOKS_A_RUN = 500;
/**
 * The workflow gives up an observation or simulation after this time and starts another one, so that other steps do not
 * wait for it.
 */
const OBSERVE_WITHIN = '2 minutes';
const SIMULATE_WITHIN = '30 seconds';

/** Runs a plan from its permit to its finalized steps; its id is `plan/<planId>`. */
export async function runPlan(input: RunPlanInput): Promise<PlanOutcome> {
  const proofs = new ProofQueue(input.proofs);
  setHandler(stepProof, (proof) => proofs.add(proof), {
    description:
      'A transaction to observe for a step: {"stepId", "transactionHash"}. The workflow observes the plan immediately. Any other input is ignored.',
  });
  upsertSearchAttributes({
    [SEARCH_ATTRIBUTES.launchId]: [input.planId],
    [SEARCH_ATTRIBUTES.controller]: [input.controller],
    [SEARCH_ATTRIBUTES.family]: ['plan.v1'],
  });

  let stage = 'awaiting_wallet';
  const shown = new OperatorConsole(stage);
  const mark = (marked: string, memo: Record<string, string> = {}): void => {
    shown.reached(marked);
    const codes = shown.findings.codes();
    upsertSearchAttributes({
      [SEARCH_ATTRIBUTES.stage]: [marked],
      ...(codes.length === 0 ? {} : { [SEARCH_ATTRIBUTES.finding]: codes }),
    });
    upsertMemo({ stage: marked, ...memo });
  };
  const pauses = new StepPauses(shown);
  const rechecks = new RecheckRequests(shown, pauses);
  /** Progress of another step hides neither a trouble nor a hold. */
  const markStage = (memo: Record<string, string> = {}): void => {
    if (shown.isTroubled) mark(TROUBLED, memo);
    else mark(hold.isHeld ? HELD : stage, memo);
  };
  const hold = new NextStepHold(input.resume?.held ?? false, {
    shown,
    what: 'plan',
    effect: 'offer no further step until it is released',
    description:
      'Offers no further step of this plan until it is released. Input: a reason, a JSON string, or nothing. ' +
      'An offered step can still be sent. The end of the permit window ends the plan.',
    until: new Date(Number(input.deadline) * 1_000).toISOString(),
    onChange: () => markStage(),
  });
  const { onTrouble, onRecovery } = troubleHooks(shown, (trouble) =>
    trouble === '' ? markStage({ trouble }) : mark(TROUBLED, { trouble }),
  );
  const endless = endlessPatience({ pause: pauses.pause, watch: shown, onTrouble, onRecovery });

  /** Work that failed and is repeated with the next observations. It ends no step and delays no other step. */
  const troubles = new Map<string, { readonly stepId: string }>();
  /** Work that was tried since the last pause. */
  const tried = new Set<string>();
  const placeOf = (step: string, { stepId }: { readonly stepId: string }): string => `${step} ${stepId}`;
  const once = async <T>(
    step: string,
    about: { readonly stepId: string },
    work: () => Promise<T>,
  ): Promise<T | null> => {
    const place = placeOf(step, about);
    tried.add(place);
    const patience: Patience = { faults: 1, losses: 1, pauses: [], pause: pauses.pause, watch: shown };
    try {
      const answer = await answered(step, work, patience, about);
      if (troubles.delete(place) && troubles.size === 0) onRecovery();
      return answer;
    } catch (error) {
      if (!(error instanceof StepAbandoned)) throw error;
      troubles.set(place, { stepId: about.stepId });
      onTrouble({ step: place, code: error.code, attempts: 1 });
      return null;
    }
  };
  /**
   * Forgets the troubles of work that is not repeated: a step in trouble may be found on chain, or end. A step that is only
   * not due yet keeps its trouble.
   */
  const forgetPast = (watched: readonly string[]): void => {
    const isPast = ([place, about]: readonly [string, { readonly stepId: string }]): boolean =>
      !tried.has(place) && (tried.has(placeOf('observeStep', about)) || !watched.includes(about.stepId));
    const past = [...troubles].filter(isPast);
    tried.clear();
    if (past.length === 0) return;
    for (const [place] of past) troubles.delete(place);
    if (troubles.size === 0) onRecovery();
  };
  const finality = (step: string, about = '', within?: ActivityOptions['scheduleToCloseTimeout']) =>
    proxyActivities<PlanFinalityActivities>({
      ...READ_ONLY,
      ...(within === undefined ? {} : { scheduleToCloseTimeout: within }),
      taskQueue: TASK_QUEUES.finality,
      summary: `${stepSummary(step)}${about}`,
    });

  const outcome = await runPlanLogic(
    {
      finality: boundedSteps((step) => finality(step), endless),
      gateway: boundedSteps(
        (step) =>
          proxyActivities<PlanGatewayActivities>({
            ...IDEMPOTENT_WRITE,
            taskQueue: TASK_QUEUES.gateway,
            summary: stepSummary(step),
          }),
        { ...endless, outdated: STATEMENT_OUTDATED },
      ),
      observe: (asked) =>
        once('observeStep', asked, () =>
          finality('observeStep', `: ${asked.stepId}`, OBSERVE_WITHIN).observeStep(asked),
        ),
      simulate: (asked) =>
        once('simulateStep', asked, () =>
          proxyActivities<PlanAdmissionActivities>({
            ...READ_ONLY,
            scheduleToCloseTimeout: SIMULATE_WITHIN,
            taskQueue: TASK_QUEUES.admission,
            summary: `${stepSummary('simulateStep')}: ${asked.stepId}`,
          }).simulateStep(asked),
        ),
      proofs,
      takeRecheck: () => rechecks.take(),
      isHeld: () => hold.isHeld,
      pause: async (milliseconds, watched) => {
        forgetPast(watched);
        shown.waiting(`the next observation, at ${new Date(Date.now() + milliseconds).toISOString()}`);
        const hasNews = (): boolean => proofs.hasNews() || rechecks.hasNews() || hold.hasNews();
        const isWoken = await condition(hasNews, Math.max(milliseconds, 1), {
          summary: `Until the next observation: ${stage}`,
        });
        hold.take();
        shown.waiting(null);
        return isWoken;
      },
      now: () => Date.now(),
      isHistoryLong: (done) => done >= LOOKS_A_RUN || workflowInfo().continueAsNewSuggested,
      onStage: (reached) => {
        stage = reached;
        markStage();
      },
    },
    input,
  );
  tried.clear();
  forgetPast([]);
  if (outcome.kind === 'continue') return continueAsNew<typeof runPlan>(outcome.input);
  shown.close();
  return outcome.kind;
}
