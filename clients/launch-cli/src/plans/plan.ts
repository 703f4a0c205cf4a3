import type { components } from '@launch/api-client';
import type { BoundMember } from '@launch/client-core/binding';
import { walletPageOf } from '@launch/client-core/command';
import { instant, plain, table } from '@launch/multi-role/offline';
import { LaunchError } from '../launch.error.js';
import { requireBound } from '../service.js';
import { REPLAYED, type KnownOf } from '../launches/launch-text.js';

/** The response version that shows every member of a plan, in either mode. */
export const VERSION = { 'Service-Launch-Response-Version': '1.2' } as const;
export const CHAIN = { chainId: '4663' } as const;

export type Plan = components['schemas']['CustomLaunchPlanResourceV1_2'];
export type Step = Plan['steps'][number];

/** An answer with a plan. */
interface PlanAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly value: components['schemas']['AnyCustomLaunchPlanResource'];
}

/**
 * Returns the plan of an answer in the requested version, which the answer's header repeats.
 * @throws {LaunchError} `LAUNCH_CLI_ANSWER_MISMATCH` for another version, and for a plan that is not the subject's.
 */
export function planOf<Subject>(
  { status, headers, value }: PlanAnswer,
  members: readonly BoundMember<Plan, Subject>[],
  subject: Subject,
): Plan {
  requireVersion({ status, headers });
  if (value.schemaVersion !== 'service.custom-launch-plan-resource.v1.2')
    throw new LaunchError('LAUNCH_CLI_ANSWER_MISMATCH', 'the plan has another version than the request named', {
      httpStatus: status,
      findings: [{ path: '/schemaVersion', message: 'differs from the value that the request determines' }],
    });
  requireBound(members, { status, value }, subject);
  return value;
}

/** Requires that an answer has the requested version. A proxy may omit the header. @throws {LaunchError} */
export function requireVersion({ status, headers }: Pick<PlanAnswer, 'status' | 'headers'>): void {
  const version = headers.get('service-launch-response-version');
  if (version !== null && version !== VERSION['Service-Launch-Response-Version'])
    throw new LaunchError('LAUNCH_CLI_ANSWER_MISMATCH', 'the answer has another version than the request named', {
      httpStatus: status,
      findings: [
        {
          path: '/headers/service-launch-response-version',
          message: 'differs from the value that the request determines',
        },
      ],
    });
}

/** The part of a watched plan whose change is worth a line. Estimates move with every reading. */
export const progressOf = ({ status, steps }: Plan): string =>
  JSON.stringify([status, ...steps.map((step) => [step.status, step.finality.stage])]);

/** Formats a plan for a terminal. @param now milliseconds, by the reader's clock */
export function planText(plan: Plan, now: number, { replayed = false, request }: KnownOf = {}): string {
  const findings = plan.findings.map(({ code, path, message }) => `  ${plain(`${code} ${path} ${message}`)}\n`);
  const steps = plan.steps.map((step) => {
    const [transaction] = step.transactions;
    const shown = [step.status, transaction?.transactionHash].filter(Boolean).join(' ');
    return [`  ${step.stepId}`, `${shown}${nextStage(step, now)}`] as const;
  });
  const { completedSteps, totalSteps } = plan.progress;
  const rows = table([
    ['plan', `${plan.planId}${replayed ? REPLAYED : ''}`],
    ['status', plan.status],
    ['wallet', plan.launchWallet],
    ['digest', plan.planDigest],
    ['finalized steps', `${completedSteps} of ${totalSteps}`],
    ...steps,
    ['page', plan.launchUrl],
    ['wallet page', walletPageOf(plan.walletUrl, request?.requestSha256)],
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
