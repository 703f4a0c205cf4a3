import { codedErrors } from '@launch/contracts/errors';

/** Reports an operation that another namespace called, or for which the server named no caller. */
export class OperationCallerError extends codedErrors('OperationCallerError', { CALLER_REFUSED: false }) {
  constructor(callers: string) {
    super('CALLER_REFUSED', `CALLER_REFUSED: only workflows of the namespace ${callers} call this operation`);
  }
}
