import { StepAbandoned, stepEndOf } from './step-end.js';

/** Told of each step as it goes. */
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
  /** Attempts that gave no answer so far. */
  readonly attempts: number;
}

/** How often a step is tried that its service cannot do. Outages are not counted: their time bounds them. */
export interface Patience {
  readonly faults: number;
  readonly losses: number;
  /** Milliseconds before each further attempt; the last one before all others. */
  readonly pauses: readonly number[];
  readonly pause: (milliseconds: number, trouble: StepTrouble) => Promise<void>;
  /** What a step has to wait for before its first attempt; undefined for nothing. */
  readonly before?: (step: string) => Promise<void> | undefined;
  readonly watch?: StepWatch;
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
export async function answered<T>(
  step: string,
  attempt: () => Promise<T>,
  patience: Patience,
  input?: unknown,
): Promise<T> {
  const { faults, losses, pauses, pause, watch, onTrouble, onRecovery } = patience;
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

/** Work on a step, of which a watch is told how it goes and ends. */
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
 * A service's activities, each tried within its patience.
 * @param activities Called for each attempt at a step, so that its time can be what is left and its summary what it does.
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
