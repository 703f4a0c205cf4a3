import { proxyActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/common';
import {
  TASK_QUEUES,
  type CompilationActivities,
  type LongCompilationActivities,
} from '@launch/contracts/orchestration';
import { stepSummary } from '../operator/step-summaries.js';
import { LONG_COMPILATION, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, type Patience } from '../steps/bounded-steps.js';
import type { Compilations } from './judge-request.js';

/**
 * Returns the compilation steps on their queues, each with its bounds of attempts.
 * @param time time of an attempt, in addition to its profile.
 */
export function compilationSteps(patience: Patience, time: () => ActivityOptions = () => ({})): Compilations {
  const short = boundedSteps(
    (step) =>
      proxyActivities<CompilationActivities>({
        ...READ_ONLY,
        ...time(),
        taskQueue: TASK_QUEUES.compilation,
        summary: stepSummary(step),
      }),
    patience,
  );
  const long = boundedSteps(
    (step) =>
      proxyActivities<LongCompilationActivities>({
        ...LONG_COMPILATION,
        ...time(),
        taskQueue: TASK_QUEUES.longCompilation,
        summary: stepSummary(step),
      }),
    patience,
  );
  return {
    compileRequest: (ref) => short.compileRequest(ref),
    compileLongRequest: (ref) => long.compileLongRequest(ref),
  };
}
