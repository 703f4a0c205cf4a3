/** Transient failures of sockets and the machine, of PostgreSQL (SQLSTATE), and of Prisma. */
const PASSING_CODES =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ENOSPC|EMFILE|ENFILE|EIO|08\w{3}|40001|40P01|53\w{3}|55P03|57\w{3}|58\w{3}|25P03|P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037)$/;
/** Transient failures to which the drivers give no code. */
const PASSING_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Transaction API error/;
/** gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE. */
const PASSING_GRPC: readonly unknown[] = [4, 8, 14];
const MAX_DEPTH = 6;

/**
 * Reports whether a failure is an outage: a part that does not respond at the moment (a provider, a database, the blob
 * store, Temporal, the machine itself). The request is then not at fault, and the same call may succeed later. Errors
 * of this repository's libraries decide by `retryable`, without their causes; drivers hide the socket's error in
 * causes.
 */
export function isOutage(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < MAX_DEPTH && typeof error === 'object' && error !== null; depth += 1) {
    if ('retryable' in error && typeof error.retryable === 'boolean') return error.retryable;
    if (isPassing(error)) return true;
    error = 'cause' in error && error.cause !== undefined ? error.cause : driversCause(error);
  }
  return false;
}

function isPassing(error: object): boolean {
  const { code, originalCode, message, details } = error as Readonly<Record<string, unknown>>;
  if ([code, originalCode].some((one) => typeof one === 'string' && PASSING_CODES.test(one))) return true;
  if (typeof details === 'string' && PASSING_GRPC.includes(code)) return true;
  return typeof message === 'string' && PASSING_MESSAGES.test(message);
}

/** Returns the driver's error, which Prisma puts into `meta`. */
function driversCause(error: object): unknown {
  const { meta } = error as { readonly meta?: { readonly driverAdapterError?: unknown } };
  return meta?.driverAdapterError;
}
