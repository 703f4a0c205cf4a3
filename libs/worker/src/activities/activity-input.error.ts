import type { Finding } from '@launch/contracts';

/** An activity was given something else than its schema says. Names the activity and the field, never a value. */
export class ActivityInputError extends Error {
  override readonly name = 'ActivityInputError';
  readonly code = 'INPUT_INVALID';
  readonly retryable = false;

  constructor(activity: string, [first]: readonly Finding[]) {
    super(
      `INPUT_INVALID ${activity} ${first?.path ?? ''}: ${first?.expected ?? 'a member that the schema does not have'}`,
    );
  }
}
