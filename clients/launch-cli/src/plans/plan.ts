import type { components } from '@launch/api-client';
import { instant, plain, table } from '@launch/multi-role/offline';
import { LaunchError } from '../launch.error.js';

/** The response version that shows every member of a plan, in either mode. */
export const VERSION = { 'Service-Launch-Response-Version': '1.2' } as const;
export const CHAIN = { chainId: '4663' } as const;

export type Plan = components['schemas']['CustomLaunchPlanResourceV1_2'];
export type Step = Plan['steps'][number];

/** Returns a plan of the requested version. @throws {LaunchError} for another version. */
export function planOf(value: components['schemas']['AnyCustomLaunchPlanResource']): Plan {
  if (value.schemaVersion === 'service.custom-launch-plan-resource.v1.2') return value;
  throw new LaunchError('LAUNCH_CLI_ANSWER_INVALID', 'the plan is in another version than was asked for');
}

/** Formats a plan for a terminal. @param now milliseconds, by the reader's clock */
export function planText(plan: Plan, now: number): string {
  const findings = plan.findings.map(({ code, path, message }) => `  ${plain(`${code} ${path} ${message}`)}\n`);
  const steps = plan.steps.map((step) => {
    const [transaction] = step.transactions;
    const shown = [step.status, transaction?.transactionHash].filter(Boolean).join(' ');
    return [`  ${step.stepId}`, `${shown}${nextStage(step, now)}`] as const;
  });
  const { completedSteps, totalSteps } = plan.progress;
  const rows = table([
    ['plan', plan.planId],
    ['status', plan.status],
    ['wallet', plan.launchWallet],
    ['digest', plan.planDigest],
    ['finalized steps', `${completedSteps} of ${totalSteps}`],
    ...steps,
    ['wallet page', plan.walletUrl],
    ['goes on by', plan.continuation?.advice ?? null],
  ]);
  return `${rows}${findings.join('')}`;
}

/** Formats one line of a watched plan. */
export const progressLine = ({ status, steps }: Plan, now: number): string =>
  plain(`${status}: ${steps.map((step) => `${step.stepId} ${step.status}${nextStage(step, now)}`).join(', ')}`);

/** Formats the estimated time of a step's next stage; empty without an estimate. */
function nextStage({ finality: { estimatedNextStageAt } }: Step, now: number): string {
  return estimatedNextStageAt === null ? '' : `, next stage ${instant(estimatedNextStageAt, now)}`;
}
