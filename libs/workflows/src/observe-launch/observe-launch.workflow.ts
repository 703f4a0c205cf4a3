import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  SEARCH_ATTRIBUTES,
  STATEMENT_OUTDATED,
  TASK_QUEUES,
  TRANSACTION_HINT_SIGNAL,
  type FinalityActivities,
  type GatewayActivities,
  type ObserveLaunchInput,
} from '@launch/contracts/orchestration';
import { RecheckRequests } from '../operator/recheck-requests.js';
import { OperatorConsole } from '../operator/operator-console.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps } from '../steps/bounded-steps.js';
import { endlessPatience } from '../steps/patient-steps.js';
import { HintQueue } from './hint-queue.js';
import { observeLaunchLogic } from './observe-launch.logic.js';

/** The stage of an observation whose next step fails; its memo names the step and the reason. */
const TROUBLED = 'troubled';

/** A client registered a transaction hash; the workflow observes immediately. */
export const transactionHint = defineSignal<[string]>(TRANSACTION_HINT_SIGNAL);

/** The most polls of one run, with about ten history events each. */
const POLLS_A_RUN = 400;

/** Observation of one handed-off launch; its id is `observe/<launchId>`. */
export async function observeLaunch(input: ObserveLaunchInput): Promise<'finalized' | 'failed' | 'expired'> {
  const hints = new HintQueue(input.hints);
  setHandler(transactionHint, (hash) => hints.add(hash), {
    description:
      'A transaction hash, 0x and 64 lowercase hex digits. The workflow observes the launch immediately. Any other input is ignored.',
  });
  upsertSearchAttributes({
    [SEARCH_ATTRIBUTES.launchId]: [input.launchId],
    [SEARCH_ATTRIBUTES.controller]: [input.controller],
  });

  let stage: string = input.resume?.memory.stage ?? 'pending';
  const shown = new OperatorConsole(stage);
  const mark = (marked: string, memo: Record<string, string>): void => {
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
  const patience = endlessPatience({
    pause: pauses.pause,
    watch: shown,
    ...troubleHooks(shown, (trouble) => mark(trouble === '' ? stage : TROUBLED, { trouble })),
  });

  const outcome = await observeLaunchLogic(
    {
      finality: boundedSteps(
        (step) =>
          proxyActivities<FinalityActivities>({
            ...READ_ONLY,
            taskQueue: TASK_QUEUES.finality,
            summary: stepSummary(step),
          }),
        patience,
      ),
      gateway: boundedSteps(
        (step) =>
          proxyActivities<GatewayActivities>({
            ...IDEMPOTENT_WRITE,
            taskQueue: TASK_QUEUES.gateway,
            summary: stepSummary(step),
          }),
        { ...patience, outdated: STATEMENT_OUTDATED },
      ),
      hints,
      takeRecheck: () => rechecks.take(),
      pause: async (milliseconds) => {
        shown.waiting(`the next observation, at ${new Date(Date.now() + milliseconds).toISOString()}`);
        await condition(() => hints.hasNews() || rechecks.hasNews(), milliseconds, {
          summary: `Until the next observation: ${stage}`,
        });
        shown.waiting(null);
      },
      isHistoryLong: (polls) => polls >= POLLS_A_RUN || workflowInfo().continueAsNewSuggested,
    },
    input,
    (reached) => {
      stage = reached;
      mark(reached, {});
    },
  );
  if (outcome.kind === 'continue') return continueAsNew<typeof observeLaunch>(outcome.input);
  shown.close();
  return outcome.kind;
}
