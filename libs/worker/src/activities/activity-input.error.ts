import { codedErrors, type Finding } from '@launch/contracts/errors';

/** Reports an activity argument that its schema refuses. Names the activity and the field, never a value. */
export class ActivityInputError extends codedErrors('ActivityInputError', { INPUT_INVALID: false }) {
  constructor(activity: string, [first]: readonly Finding[]) {
    const expected = first?.expected ?? 'a member that the schema does not have';
    super('INPUT_INVALID', `INPUT_INVALID ${activity} ${first?.path ?? ''}: ${expected}`);
  }
}
