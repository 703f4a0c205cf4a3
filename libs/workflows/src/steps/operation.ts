import { NexusOperationFailure } from '@temporalio/common';
import { createNexusServiceClient, TimeoutFailure } from '@temporalio/workflow';
import { operation, service } from 'nexus-rpc';
import { stepSummary } from '../operator/step-summaries.js';
import { OperationOver } from './step-end.js';

/**
 * The longest call of an operation in milliseconds. The server repeats a call that no worker answers at growing
 * intervals, of an hour at the end by its defaults. A new call begins with short ones again.
 */
const CALL_MS = 300_000;

/** A Nexus service as workflows call it. */
export interface OperationService {
  readonly endpoint: string;
  readonly service: string;
}

type Step = Parameters<typeof stepSummary>[0];

/**
 * Calls an operation of another namespace, until a worker answers or the time is over. A worker that is away costs a few
 * events in five minutes. The operation's own failure is thrown at once.
 * @param until Unix milliseconds.
 * @throws NexusOperationFailure that the operation ended with; OperationOver when the time is over.
 */
export async function callOperation<Input, Answer>(
  { endpoint, service: name }: OperationService,
  step: Step,
  input: Input,
  until: number,
): Promise<Answer> {
  const definition = operation<Input, Answer>({ name: step });
  const client = createNexusServiceClient({ endpoint, service: service(name, { called: definition }) });
  for (;;) {
    const left = until - Date.now();
    if (left <= 0) throw new OperationOver('TIMEOUT_SCHEDULE_TO_CLOSE');
    try {
      return await client.executeOperation('called', input, {
        scheduleToCloseTimeout: Math.min(left, CALL_MS),
        // A cancelled workflow ends at once, also while no worker answers. The operation answers the same call again.
        cancellationType: 'TRY_CANCEL',
        summary: stepSummary(step),
      });
    } catch (error) {
      if (!(error instanceof NexusOperationFailure && error.cause instanceof TimeoutFailure)) throw error;
    }
  }
}
