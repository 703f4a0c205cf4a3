import { ExchangeError, readJson, retryAfterOf, type Received } from '@launch/client-core/transport';
import { z } from 'zod';

/** The members of an error body that the reader reports; a later service may add others. */
const refusalSchema = z.object({
  error: z.object({ code: z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/), retryable: z.boolean() }),
});

/** An error that the service states itself, such as `INDEX_NOT_CURRENT`: its code, and whether a later request may succeed. */
export class ServiceRefusal extends ExchangeError {
  override readonly retryable: boolean;

  constructor(
    readonly serviceCode: string,
    retryable: boolean,
    { status, headers }: Pick<Received, 'status' | 'headers'>,
  ) {
    super('ANSWER_STATUS_UNKNOWN', `the service answers ${status} ${serviceCode}`, status, retryAfterOf(headers));
    this.retryable = retryable;
  }
}

/** Returns the error of an answer with another status than 200. */
export function refusalOf(received: Received): ExchangeError {
  const { status, headers } = received;
  const read = refusalSchema.safeParse(jsonOf(received));
  if (read.success) return new ServiceRefusal(read.data.error.code, read.data.error.retryable, received);
  const message = `the answer has status ${status}`;
  return new ExchangeError('ANSWER_STATUS_UNKNOWN', message, status, retryAfterOf(headers));
}

/** Returns the body of an answer; undefined if it is no JSON, as a page of a proxy. */
function jsonOf(received: Received): unknown {
  try {
    return readJson(received);
  } catch (error) {
    if (error instanceof ExchangeError) return undefined;
    throw error;
  }
}
