import type { ObservedStage, StepPoll, StepSimulation } from '@launch/contracts/orchestration';
import { isIncluded, isStepEnd, type StepStatus } from '@launch/contracts/states';
import type { Refusal } from '../../../core/projections/statement-verifier.js';

/** A step of a plan as it is stored. */
export interface StoredStep {
  readonly stepId: string;
  readonly dependsOn: readonly string[];
  readonly status: StepStatus;
  /** Number of the newest stored poll; 0 before the first. */
  readonly polls: number;
  /** Number of the newest write under that poll. */
  readonly sequence: bigint;
  readonly offered: boolean;
}

/** A step as a workflow reports it. Its poll and its simulation are verified; its status is not. */
export interface ReportedStep {
  readonly stepId: string;
  readonly status: StepStatus;
  readonly simulation: StepSimulation | null;
  readonly poll: StepPoll | null;
}

/** A reported step with the status that its poll and the steps before it support. */
export interface JudgedStep extends ReportedStep {
  readonly polls: number;
}

export type JudgedSteps =
  | { readonly kind: 'accepted'; readonly steps: readonly JudgedStep[] }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** The statuses that a poll alone decides. */
const STATUSES: Readonly<Partial<Record<ObservedStage, StepStatus>>> = {
  included: 'included',
  posted: 'ethereum_posted',
  finalized: 'finalized',
  reverted_finalized: 'reverted',
  expired: 'expired',
};

const isLost = (status: StepStatus): boolean => status === 'expired' || status === 'reverted';
const asksWallet = (status: StepStatus): boolean => status === 'awaiting_signature' || status === 'proof_received';

/**
 * Decides which reported steps replace the stored ones. A status of the chain needs a poll; the three statuses before it
 * claim nothing about the chain. Without a newer poll, a step can leave the chain or end only with a step that it needs.
 * Steps without news and ended steps stay as they are.
 * @param stored all steps in plan order.
 */
export function judgeSteps(
  stored: readonly StoredStep[],
  sequence: number,
  reported: readonly ReportedStep[],
): JudgedSteps {
  const statuses = new Map(stored.map(({ stepId, status }) => [stepId, status]));
  const steps: JudgedStep[] = [];
  let hasOutdated = false;
  for (const before of stored) {
    const step = reported.find(({ stepId }) => stepId === before.stepId);
    if (step === undefined || isStepEnd(before.status)) continue;
    const polls = step.poll?.memory.polls ?? before.polls;
    if (polls < before.polls) {
      hasOutdated = true;
      continue;
    }
    if (polls === before.polls && BigInt(sequence) <= before.sequence) continue;
    const needed = before.dependsOn.map((stepId) => statuses.get(stepId) ?? 'blocked');
    const status = supportedStatus(before, step, needed);
    if (status === null) return { kind: 'refused', reason: 'unsigned' };
    statuses.set(step.stepId, status);
    steps.push({ ...step, status, polls });
  }
  return steps.length === 0 && hasOutdated ? { kind: 'refused', reason: 'outdated' } : { kind: 'accepted', steps };
}

/** Returns null if no statement supports the reported status. */
function supportedStatus(
  before: StoredStep,
  { status, simulation, poll }: ReportedStep,
  needed: readonly StepStatus[],
): StepStatus | null {
  const observed = STATUSES[poll?.memory.stage ?? 'pending'];
  if (observed !== undefined) return observed;
  if (status === 'expired') return needed.some(isLost) ? status : null;
  if (status !== 'blocked' && !asksWallet(status)) return null;
  if (asksWallet(status) && !before.offered && simulation === null) return null;
  return poll === null && isIncluded(before.status) && needed.every(isIncluded) ? null : status;
}
