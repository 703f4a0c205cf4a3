import {
  condition,
  continueAsNew,
  defineSignal,
  log,
  proxyActivities,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  TRANSACTION_HINT_SIGNAL,
  type FinalityActivities,
  type GatewayActivities,
  type ObserveLaunchInput,
} from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps } from '../steps/bounded-steps.js';
import { endlessPatience, troubleText } from '../steps/patient-steps.js';
import { HintQueue } from './hint-queue.js';
import { observeLaunchLogic } from './observe-launch.logic.js';

const finality = proxyActivities<FinalityActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.finality });
const gateway = proxyActivities<GatewayActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.gateway });

/** The stage of an observation whose next step cannot be done; its memo names the step and the reason. */
const TROUBLED = 'troubled';

/** A client registered a transaction hash: look now. */
export const transactionHint = defineSignal<[string]>(TRANSACTION_HINT_SIGNAL);

/** Polls in one run; about ten history events each. */
const POLLS_A_RUN = 400;

/** Observation of one handed-off launch; its id is `observe/<launchId>`. */
export async function observeLaunch(input: ObserveLaunchInput): Promise<'finalized' | 'failed' | 'expired'> {
  const hints = new HintQueue(input.hints);
  setHandler(transactionHint, (hash) => hints.add(hash));
  upsertSearchAttributes({
    [SEARCH_ATTRIBUTES.launchId]: [input.launchId],
    [SEARCH_ATTRIBUTES.controller]: [input.controller],
  });

  let stage: string = input.resume?.stage ?? 'pending';
  const show = (shown: string, trouble: string): void => {
    upsertSearchAttributes({ [SEARCH_ATTRIBUTES.stage]: [shown] });
    upsertMemo({ stage: shown, trouble });
  };
  const patience = endlessPatience({
    pause: async (milliseconds) => sleep(milliseconds),
    onTrouble: (trouble) => {
      log.warn('a step is in trouble', { ...trouble });
      show(TROUBLED, troubleText(trouble));
    },
    onRecovery: () => show(stage, ''),
  });

  const outcome = await observeLaunchLogic(
    {
      finality: boundedSteps(() => finality, patience),
      gateway: boundedSteps(() => gateway, patience),
      hints,
      pause: async (milliseconds) => void (await condition(() => hints.hasNews(), milliseconds)),
      isHistoryLong: (polls) => polls >= POLLS_A_RUN || workflowInfo().continueAsNewSuggested,
    },
    input,
    (reached) => {
      stage = reached;
      upsertSearchAttributes({ [SEARCH_ATTRIBUTES.stage]: [reached] });
      upsertMemo({ stage: reached });
    },
  );
  if (outcome.kind === 'continue') return continueAsNew<typeof observeLaunch>(outcome.input);
  return outcome.kind;
}
