import { ApplicationFailure, proxyActivities, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import {
  CUSTODY_ENDPOINT,
  CUSTODY_SERVICE,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  type AdmissionActivities,
  type AdmitLaunchInput,
  type GatewayActivities,
  type RefuseLaunchInput,
  type RefuseLaunchResult,
} from '@launch/contracts/orchestration';
import { compilationSteps } from '../evaluate-source/compilation-steps.js';
import { LaunchHold } from '../operator/launch-hold.js';
import { OperatorConsole } from '../operator/operator-console.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, MAX_FAULTS, MAX_LOSSES, STEP_PAUSES, type Patience } from '../steps/bounded-steps.js';
import { callOperation } from '../steps/operation.js';
import { StepAbandoned } from '../steps/step-end.js';
import { admitLaunchLogic, type AdmitOutcome } from './admit-launch.logic.js';
import type { RefusalSteps } from './refuse-launch.logic.js';

const CUSTODY = { endpoint: CUSTODY_ENDPOINT, service: CUSTODY_SERVICE } as const;

/** Steps judge the window themselves. The workflow ends only a step that is still silent a little after it. */
const GRACE_MS = 60_000;
/** A step that begins late has at least this long. */
const LEAST_MS = 60_000;
const LATE_MS = 86_400_000;

/** Admits one reserved launch durably; its id is `admit/<launchId>`. An operator can hold it and end its pauses. */
export async function admitLaunch(input: AdmitLaunchInput): Promise<AdmitOutcome> {
  const { ref, deadline } = input;
  const { launchId } = ref;
  if (launchId === null)
    throw ApplicationFailure.nonRetryable('admitLaunch needs a reserved launch', 'LAUNCH_REQUIRED');
  const deadlineMs = Number(deadline) * 1_000;
  const windowEnd = deadlineMs + GRACE_MS;
  const inWindow = () => ({ scheduleToCloseTimeout: Math.max(windowEnd - Date.now(), LEAST_MS) });
  const late = () => ({ scheduleToCloseTimeout: LATE_MS });

  const shown = new OperatorConsole('reserved');
  const onStage = (stage: string): void => {
    shown.reached(stage);
    const codes = shown.findings.codes();
    upsertSearchAttributes({
      [SEARCH_ATTRIBUTES.stage]: [stage],
      ...(codes.length === 0 ? {} : { [SEARCH_ATTRIBUTES.finding]: codes }),
    });
    upsertMemo({ stage });
  };
  const pauses = new StepPauses(shown);
  const hold = new LaunchHold({ shown, windowEnd: deadlineMs, onStage });
  const patience: Patience = {
    faults: MAX_FAULTS,
    losses: MAX_LOSSES,
    pauses: STEP_PAUSES,
    pause: pauses.pause,
    watch: shown,
    ...troubleHooks(shown, (trouble) => {
      // The memo keeps the last trouble: the admission ends soon after a recovery.
      if (trouble !== '') upsertMemo({ trouble });
    }),
  };

  const admitting: Patience = { ...patience, before: hold.before };
  const admissionFor = (time: () => { scheduleToCloseTimeout: number }) =>
    boundedSteps(
      (step) =>
        proxyActivities<AdmissionActivities>({
          ...READ_ONLY,
          ...time(),
          taskQueue: TASK_QUEUES.admission,
          summary: stepSummary(step),
        }),
      admitting,
    );
  const refusingFor = (time: () => { scheduleToCloseTimeout: number }): RefusalSteps['custody'] => ({
    refuseLaunch(asked) {
      // Attempts share the time of the first one.
      let until: number | undefined;
      const refuseLaunch = (input: RefuseLaunchInput): Promise<RefuseLaunchResult> =>
        callOperation(CUSTODY, 'refuseLaunch', input, (until ??= Date.now() + time().scheduleToCloseTimeout));
      return boundedSteps(() => ({ refuseLaunch }), admitting).refuseLaunch(asked);
    },
  });
  const admission = admissionFor(inWindow);
  const { refuseLaunch } = refusingFor(inWindow);

  try {
    return await admitLaunchLogic(
      {
        admission,
        compilations: compilationSteps(admitting, inWindow),
        custody: {
          signPermit: (asked) =>
            callOperation(CUSTODY, 'signPermit', asked, Date.now() + inWindow().scheduleToCloseTimeout),
          refuseLaunch,
        },
        late: { admission: admissionFor(late), custody: refusingFor(late) },
        // Only the record shows how a launch ended, so an outage of the gateway is waited out.
        gateway: boundedSteps(
          (step) =>
            proxyActivities<GatewayActivities>({
              ...IDEMPOTENT_WRITE,
              taskQueue: TASK_QUEUES.gateway,
              summary: stepSummary(step),
            }),
          patience,
        ),
        isWindowOver: () => Date.now() >= windowEnd,
        pause: pauses.pause,
        watch: shown,
        beforeCustody: hold.beforeCustody,
      },
      { ...ref, launchId },
      onStage,
    );
  } catch (error) {
    // The record cannot be written. The row of the launch stays unfinished, and the relay starts another run later.
    if (error instanceof StepAbandoned) throw ApplicationFailure.nonRetryable(error.message, error.code);
    throw error;
  }
}
