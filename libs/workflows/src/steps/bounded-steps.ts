import { StepAbandoned, stepEndOf } from './step-end.js';

export interface StepTrouble {
  readonly step: string;
  readonly code: string;
  /** Attempts that gave no answer so far. */
  readonly attempts: number;
}

/** How often a step is tried that its service cannot do. Outages are not counted: their time bounds them. */
export interface Patience {
  readonly faults: number;
  readonly losses: number;
  /** Milliseconds before each further attempt; the last one before all others. */
  readonly pauses: readonly number[];
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onTrouble?: (trouble: StepTrouble) => void;
  /** A step answered after it was in trouble. */
  readonly onRecovery?: () => void;
}

/** Enough for another worker, another minute and another deployment; more would only put off what stays as it is. */
export const MAX_FAULTS = 5;
/** A machine that is overloaded loses steps of launches that nothing is wrong with: over ten minutes are given to it. */
export const MAX_LOSSES = 12;
export const STEP_PAUSES = [500, 2_000, 8_000, 30_000, 60_000] as const;

/**
 * The answer of a step, tried again within its patience.
 * @throws StepAbandoned when that is over, or the time of the step; whatever is no step's failure as it is.
 */
export async function answered<T>(step: string, attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { faults, losses, pauses, pause, onTrouble, onRecovery } = patience;
  const count = { fault: 0, lost: 0, outage: 0 };
  for (let attempts = 1; ; attempts += 1) {
    try {
      const answer = await attempt();
      if (attempts > 1) onRecovery?.();
      return answer;
    } catch (error) {
      const end = stepEndOf(error);
      if (end === null) throw error;
      const { kind, code, step: failed = step } = end;
      if (kind === 'over') throw new StepAbandoned(failed, 'outage', code);
      count[kind] += 1;
      onTrouble?.({ step: failed, code, attempts });
      if (count.fault >= faults || count.lost >= losses) throw new StepAbandoned(failed, 'fault', code);
      await pause(pauses[Math.min(attempts, pauses.length) - 1] ?? 0);
    }
  }
}

/**
 * A service's activities, each tried within its patience.
 * @param activities Called for each attempt, so that its time can be what is left.
 */
export function boundedSteps<A extends object>(activities: () => A, patience: Patience): A {
  return new Proxy({} as A, {
    get(_target, step) {
      if (typeof step !== 'string') return undefined;
      return (...args: unknown[]): Promise<unknown> =>
        answered(
          step,
          () => (activities() as Record<string, (...args: unknown[]) => Promise<unknown>>)[step]!(...args),
          patience,
        );
    },
  });
}
