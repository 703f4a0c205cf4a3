import { placesOf, type ActivitiesOf, type ActivityInputs } from '@launch/contracts/activities';
import { validate } from '@launch/contracts/validation';
import { isOutage } from '@launch/platform';
import { ActivityInputError } from './activity-input.error.js';
import { activityStep, type StepProgress, type StepTrouble } from './activity-step.js';

/** The context of an activity in addition to its arguments. */
export interface ActivityCall {
  /** Aborted once no workflow waits for the activity any more, and when its worker stops. */
  readonly signal: AbortSignal;
  readonly progress: StepProgress;
}

/** The functions of a service's activities: each takes the output of its schema. */
export type ActivityWork<A> = {
  readonly [Name in keyof A]: A[Name] extends (...args: infer Arguments) => infer Answer
    ? (...args: [...Arguments, ActivityCall]) => Answer
    : never;
};

export interface ActivityEdge {
  /** Types of the failures whose error has no code of this repository, for outages and for faults. */
  readonly failures: { readonly outage: string; readonly fault: string };
  readonly onTrouble: (trouble: StepTrouble) => void;
}

/** Activities that parse their arguments; a worker accepts no others. */
export class Activities<A extends ActivitiesOf<A> = object> {
  readonly #functions: A;

  /**
   * Wraps functions in their schemas. An argument that its schema refuses ends the call with the non-retryable failure
   * `INPUT_INVALID`, which names the field. An error of a function becomes a failure by its code.
   * @throws Error naming each function without a schema, and each schema without a function.
   */
  constructor(inputs: ActivityInputs<A>, work: ActivityWork<A>, { failures, onTrouble }: ActivityEdge) {
    const names = Object.keys(inputs) as (keyof A & string)[];
    const alone = [
      ...Object.keys(work)
        .filter((name) => !Object.hasOwn(inputs, name))
        .map((name) => `${name} has no schema`),
      ...names.filter((name) => !Object.hasOwn(work, name)).map((name) => `${name} has no function`),
    ];
    if (alone.length > 0) throw new Error(`activities: ${alone.join('; ')}`);
    const step = activityStep({
      isOutage,
      unknown: (outage) => (outage ? failures.outage : failures.fault),
      onTrouble,
    });
    const guarded = (name: keyof A & string) => {
      const run = work[name] as (...args: [...unknown[], ActivityCall]) => Promise<unknown>;
      const places = placesOf(inputs[name]);
      return (...args: unknown[]): Promise<unknown> =>
        step(async (signal, progress) => {
          const parsed = validate<readonly unknown[]>(inputs[name], args);
          if (!parsed.ok) throw new ActivityInputError(name, parsed.findings);
          // An omitted argument keeps its place: the call follows all of them.
          const absent = new Array<undefined>(Math.max(places - parsed.value.length, 0)).fill(undefined);
          return await run(...parsed.value, ...absent, { signal, progress });
        });
    };
    this.#functions = Object.fromEntries(names.map((name) => [name, guarded(name)])) as unknown as A;
  }

  /** The functions by name, as the SDK calls them. */
  get functions(): A {
    return this.#functions;
  }
}
