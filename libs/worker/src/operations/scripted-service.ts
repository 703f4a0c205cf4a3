import { isOutage } from '@launch/platform';
import { OperationError, type ServiceHandler } from 'nexus-rpc';
import { activityFailure } from '../activities/activity-failure.js';
import { nexusService } from './nexus-service.js';

const UNKNOWN = 'STEP_FAILED';

/** Returns a Nexus service with scripted operations. Their errors end a call as those of a real service do. */
export const scriptedService = <A extends object>(name: string, operations: A): ServiceHandler =>
  nexusService(
    name,
    Object.fromEntries(
      Object.entries(operations as Readonly<Record<string, (input: unknown) => Promise<unknown>>>).map(
        ([step, answer]) => [
          step,
          async (_context, input) => {
            try {
              return await answer(input);
            } catch (error) {
              const cause = activityFailure(error, { isOutage: isOutage(error), unknown: UNKNOWN });
              throw new OperationError('failed', UNKNOWN, { cause });
            }
          },
        ],
      ),
    ),
  );
