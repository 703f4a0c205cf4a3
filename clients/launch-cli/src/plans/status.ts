import { existsSync } from 'node:fs';
import { getPlan } from '@launch/api-client';
import { PLAN_MEMBERS } from '@launch/client-core/binding';
import { hasPlanEnded, isOffered, isPlanAt, type PlanGoal } from '@launch/client-core/progress';
import { canonicalizeJson, type JsonObject, type JsonValue } from '@launch/contracts/json';
import { writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { savedPlan } from '../pack/saved-request.js';
import { ask, closedGates, openService, patienceOf, pause, WATCH_MS } from '../service.js';
import { readThrough, readWaitMax } from '../watching.js';
import { CHAIN, planOf, planText, progressLine, progressOf, VERSION, type Plan } from './plan.js';

/** `launch plan status`: reads a plan with its steps, once or until it reaches the goal. */
export async function status(options: Options, world: World): Promise<Outcome> {
  const { planId, step: stepId, until, output } = options;
  const isWatched = options['watch'] !== undefined;
  if (until !== undefined && !isWatched) throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--until needs --watch');
  if (output !== undefined && existsSync(output))
    throw new LaunchError('LAUNCH_CLI_FILE_FAILED', '--output exists already; files are never overwritten');
  const service = openService(world, () => readApiKey(world.environment));
  const patient = patienceOf(options, world);
  const waitMaxMs = readWaitMax(options);
  const read = <T>(once: () => Promise<T>): Promise<T> => (isWatched ? readThrough(once, waitMaxMs, world) : once());
  const request = await read(() => savedPlan(options, world));
  await read(() => closedGates(service, patient));
  const goal = isWatched ? ((until ?? 'finalized') as PlanGoal) : null;

  let printed: string | undefined;
  for (;;) {
    const input = { path: { ...CHAIN, planId: planId! }, header: VERSION };
    const answer = await read(() => ask(service, getPlan, input, patient));
    const plan = planOf(answer, PLAN_MEMBERS, { id: planId!, request });
    if (stepId !== undefined && plan.steps.every((step) => step.stepId !== stepId))
      throw new LaunchError(
        'LAUNCH_CLI_ARGUMENTS_INVALID',
        `--step is one of: ${plan.steps.map((one) => one.stepId).join(', ')}`,
      );
    const met = goal === null || isPlanAt(goal, plan, stepId);
    if (met || hasPlanEnded(plan.status)) {
      if (output !== undefined) keepAuthorization(plan, stepId, output);
      return {
        exitCode: met ? EXIT.done : EXIT.refused,
        httpStatus: answer.status,
        resource: plan as unknown as JsonValue,
        text: planText(plan, Date.now(), { request }),
      };
    }
    const progress = progressOf(plan);
    if (progress !== printed) world.progress(progressLine(plan, Date.now()));
    printed = progress;
    await pause(world.watchMs ?? WATCH_MS, world);
  }
}

/** Writes the next document for the controller to sign, as canonical JSON. */
function keepAuthorization({ steps }: Plan, stepId: string | undefined, output: string): void {
  const step = steps.find((one) => isOffered(one) && (stepId === undefined || one.stepId === stepId));
  if (step === undefined) throw new LaunchError('LAUNCH_CLI_HANDOFF_ABSENT', 'no step awaits a signature');
  const { authorization } = step;
  writeNewFile(
    output,
    '--output',
    canonicalizeJson({ stepId: step.stepId, authorization: authorization as unknown as JsonObject }),
  );
}
