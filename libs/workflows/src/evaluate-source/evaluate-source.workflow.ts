import { isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import {
  PREFLIGHT_GRACE_MS,
  TASK_QUEUES,
  type AdmissionActivities,
  type EvaluateSourceInput,
  type EvaluateSourceResult,
  type PreflightJudgement,
} from '@launch/contracts/orchestration';
import { isCustomLaunchFamily } from '@launch/contracts/states';
import { OperatorConsole } from '../operator/operator-console.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, MAX_FAULTS, MAX_LOSSES, watched, type Patience } from '../steps/bounded-steps.js';
import { StepAbandoned } from '../steps/step-end.js';
import { abandonedPreflight } from './abandoned-preflight.js';
import { compilationSteps } from './compilation-steps.js';
import { compileSource, judgeSource, type Compilations } from './judge-request.js';
import { rehearsalBudget, withRehearsal } from './rehearse-preflight.js';

/** The wait of the gateway, a little longer than that of its client. */
function patienceLeft(): number {
  const { runStartTime, executionTimeoutMs } = workflowInfo();
  return executionTimeoutMs === undefined
    ? Number.POSITIVE_INFINITY
    : executionTimeoutMs - PREFLIGHT_GRACE_MS - (Date.now() - runStartTime.getTime());
}

/**
 * Runs a preflight: the evaluation and rehearsal of a launch, without a reservation or a signature. For a custom-launch
 * request or a plan it returns every check and rehearses nothing.
 */
export async function evaluateSource({ ref }: EvaluateSourceInput): Promise<EvaluateSourceResult | PreflightJudgement> {
  const shown = new OperatorConsole('preflight');
  if (isCustomLaunchFamily(ref.family))
    return answered(shown, async (admission, compilations) => {
      shown.reached('compile');
      const compilation = await compileSource(compilations, ref);
      shown.reached('judge');
      return admission.judgePreflight(ref, compilation);
    });
  const evaluation = await answered(shown, (admission, compilations) =>
    judgeSource(admission, compilations, ref, (step) => shown.reached(step)),
  );
  const budget = rehearsalBudget(patienceLeft());
  if (budget === null) return evaluation;
  const { rehearseLaunch } = proxyActivities<Pick<AdmissionActivities, 'rehearseLaunch'>>({
    ...READ_ONLY,
    taskQueue: TASK_QUEUES.admission,
    scheduleToCloseTimeout: budget,
    retry: { maximumAttempts: 1 },
    summary: stepSummary('rehearseLaunch'),
  });
  return withRehearsal(
    evaluation,
    ref,
    (...asked) => watched(shown, 'rehearseLaunch', asked[0], () => rehearseLaunch(...asked)),
    isCancellation,
  );
}

async function answered<T>(
  shown: OperatorConsole,
  judge: (admission: AdmissionActivities, compilations: Compilations) => Promise<T>,
): Promise<T> {
  // A client waits, so a fault is repeated quickly and ends well within the client's timeout.
  const patience: Patience = {
    faults: MAX_FAULTS,
    losses: MAX_LOSSES,
    pauses: [250, 500, 1_000, 2_000],
    pause: new StepPauses(shown).pause,
    watch: shown,
    // Its memo names no trouble, because the client has an answer within seconds.
    ...troubleHooks(shown, () => undefined),
  };
  const admission = boundedSteps(
    (step) =>
      proxyActivities<AdmissionActivities>({
        ...READ_ONLY,
        taskQueue: TASK_QUEUES.admission,
        summary: stepSummary(step),
      }),
    patience,
  );
  try {
    return await judge(admission, compilationSteps(patience));
  } catch (error) {
    if (error instanceof StepAbandoned) throw abandonedPreflight(error);
    throw error;
  }
}
