import type { ActivitiesOf, ActivityInputs } from '@launch/contracts/activities';
import { validate } from '@launch/contracts/validation';
import { isOutage } from '@launch/platform';
import { HandlerError, OperationError, type ServiceHandler, type StartOperationContext } from 'nexus-rpc';
import { activityFailure } from '../activities/activity-failure.js';
import { ActivityInputError } from '../activities/activity-input.error.js';
import type { ActivityEdge } from '../activities/activities.js';
import { callerOf } from './caller.js';
import { nexusService } from './nexus-service.js';
import { OperationCallerError } from './operation-caller.error.js';

/** The functions of a service's operations: each takes the output of its schema. */
export type OperationWork<A> = {
  readonly [Name in keyof A]: A[Name] extends (input: infer Input) => infer Answer ? (input: Input) => Answer : never;
};

export interface OperationEdge extends ActivityEdge {
  /** The namespace whose workflows may call. */
  readonly callers: string;
}

/**
 * Nexus operations that parse their input and answer within the call; a worker accepts no others. Every failure ends the
 * operation, and the workflow that called judges it, as it judges that of an activity.
 */
export class Operations<A extends ActivitiesOf<A> = object> {
  readonly #handler: ServiceHandler;

  /**
   * @param inputs of one argument each. An input that its schema refuses fails the operation with `INPUT_INVALID`, which
   *   names the field; a call from another namespace fails with `CALLER_REFUSED`.
   */
  constructor(name: string, inputs: ActivityInputs<A>, work: OperationWork<A>, edge: OperationEdge) {
    const names = Object.keys(inputs) as (keyof A & string)[];
    this.#handler = nexusService(
      name,
      Object.fromEntries(
        names.map((one) => [
          one,
          (context, input) =>
            answer(one, context, edge, () => {
              const parsed = validate<readonly unknown[]>(inputs[one], [input]);
              if (!parsed.ok) throw new ActivityInputError(one, parsed.findings);
              return (work[one] as (given: unknown) => Promise<unknown>)(parsed.value[0]);
            }),
        ]),
      ),
    );
  }

  /** The handler, as the SDK calls it. */
  get handler(): ServiceHandler {
    return this.#handler;
  }
}

async function answer(
  step: string,
  { abortSignal, inboundLinks }: StartOperationContext,
  { callers, failures, onTrouble }: OperationEdge,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const caller = callerOf(inboundLinks);
  try {
    if (caller?.namespace !== callers) throw new OperationCallerError(callers);
    return await work();
  } catch (err) {
    // The worker is stopping, and another one answers: the server repeats the call.
    if (abortSignal.aborted) throw new HandlerError('UNAVAILABLE', 'the worker is stopping');
    const isWaiting = isOutage(err);
    const unknown = isWaiting ? failures.outage : failures.fault;
    const failure = activityFailure(err, { isOutage: isWaiting, unknown });
    // The server does not say which attempt this is.
    const attempt = 1;
    const code = failure.type ?? unknown;
    onTrouble({ step, workflowId: caller?.workflowId, attempt, isOutage: isWaiting, code, err });
    throw new OperationError('failed', code, { cause: failure });
  }
}
