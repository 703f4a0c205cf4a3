/** The command line is not a command of `launch-admin`; the message gives the reason. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Some or all worker versions were not changed; the message names them and the reason. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';
}
