import { StepAbandoned, stepEndOf } from './step-end.js';

/** Receives the progress of each step. */
export interface StepWatch {
  /** @param input the step's first argument. */
  begin(
    step: string,
    input?: unknown,
  ): {
    failed(code: string): void;
    end(outcome: 'answered' | 'abandoned' | 'broken', answer?: unknown): void;
  };
}

export interface StepTrouble {
  readonly step: string;
  readonly code: string;
  /** Number of failed attempts so far. */
  readonly attempts: number;
}

/** The most attempts of a step that its service fails. Outages do not count; their time bounds them. */
export interface Patience {
  readonly faults: number;
  readonly losses: number;
  /** Milliseconds before each further attempt; the last one repeats. */
  readonly pauses: readonly number[];
  readonly pause: (milliseconds: number, trouble: StepTrouble) => Promise<void>;
  /** Resolves when the step may make its first attempt; undefined for immediately. */
  readonly before?: (step: string) => Promise<void> | undefined;
  readonly watch?: StepWatch;
  /** The code of a write that is done, because a newer one is stored. */
  readonly outdated?: string;
  readonly onTrouble?: (trouble: StepTrouble) => void;
  /** Called when a step succeeds after trouble. */
  readonly onRecovery?: () => void;
}

/** Enough for another worker, a later minute or a deployment; more attempts would only delay the same result. */
export const MAX_FAULTS = 5;
/** An overloaded machine loses steps of sound launches, so the attempts span more than ten minutes. */
export const MAX_LOSSES = 12;
export const STEP_PAUSES = [500, 2_000, 8_000, 30_000, 60_000] as const;

/**
 * Runs a step and repeats it within its bounds.
 * @throws StepAbandoned when the bound or the time of the step is reached. Rethrows a failure that is not the step's.
 */
export async function answered<T>(
  step: string,
  attempt: () => Promise<T>,
  patience: Patience,
  input?: unknown,
): Promise<T> {
  const { faults, losses, pauses, pause, watch, outdated, onTrouble, onRecovery } = patience;
  const count = { fault: 0, lost: 0, outage: 0 };
  return watched(watch, step, input, async (onFailure) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const answer = await attempt();
        if (attempts > 1) onRecovery?.();
        return answer;
      } catch (error) {
        const end = stepEndOf(error);
        if (end === null) throw error;
        const { kind, code, step: failed = step } = end;
        // A record answers nothing.
        if (code === outdated) return undefined as T;
        onFailure(code);
        if (kind === 'over') throw new StepAbandoned(failed, 'outage', code);
        count[kind] += 1;
        const trouble = { step: failed, code, attempts };
        onTrouble?.(trouble);
        if (count.fault >= faults || count.lost >= losses) throw new StepAbandoned(failed, 'fault', code);
        await pause(pauses[Math.min(attempts, pauses.length) - 1] ?? 0, trouble);
      }
    }
  });
}

/** Runs work on a step and reports its progress and end to a watch. */
export async function watched<T>(
  watch: StepWatch | undefined,
  step: string,
  input: unknown,
  work: (onFailure: (code: string) => void) => Promise<T>,
): Promise<T> {
  const record = watch?.begin(step, input);
  try {
    const answer = await work((code) => record?.failed(code));
    record?.end('answered', answer);
    return answer;
  } catch (error) {
    record?.end(error instanceof StepAbandoned ? 'abandoned' : 'broken');
    throw error;
  }
}

/**
 * Returns a service's activities, each repeated within its bounds.
 * @param activities called for each attempt at a step, to give it the remaining time and its summary.
 */
export function boundedSteps<A extends object>(activities: (step: string) => A, patience: Patience): A {
  return new Proxy({} as A, {
    get(_target, step) {
      if (typeof step !== 'string') return undefined;
      return (...args: unknown[]): Promise<unknown> => {
        const begin = (): Promise<unknown> =>
          answered(
            step,
            () => (activities(step) as Record<string, (...args: unknown[]) => Promise<unknown>>)[step]!(...args),
            patience,
            args[0],
          );
        const before = patience.before?.(step);
        return before === undefined ? begin() : before.then(begin);
      };
    },
  });
}
