/** The command line is not one that `launch-admin` knows; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The versions of workers stay as they are, or some do; the message says which and why. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';
}
