import { ExchangeError } from './exchange.error.js';

/** A received answer, not yet validated. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** One HTTP exchange and its bounds. */
export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly maxBytes: number;
  /** Milliseconds from the start to the last byte of the answer. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request, once: no retry, no redirect, no cookie, no cache.
 * @throws {ExchangeError} without an answer, or for one that is too slow, too large or incomplete.
 * @throws the signal's reason if it aborted the exchange.
 */
export async function exchange({ url, method, headers, body, ...bounds }: Exchange): Promise<Received> {
  const deadline = AbortSignal.timeout(bounds.deadlineMs);
  let status: number | undefined;
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal: bounds.signal === undefined ? deadline : AbortSignal.any([deadline, bounds.signal]),
      ...(body === undefined ? {} : { body }),
    });
    status = response.status;
    return { status, headers: response.headers, bytes: await readBounded(response, bounds.maxBytes) };
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    bounds.signal?.throwIfAborted();
    if (deadline.aborted)
      throw new ExchangeError('ANSWER_TOO_SLOW', `no whole answer came within ${bounds.deadlineMs} ms`, status);
    throw status === undefined
      ? new ExchangeError('SERVICE_UNREACHABLE', `no answer came (${networkFault(error)})`)
      : new ExchangeError('ANSWER_BROKEN_OFF', `the answer ended early (${networkFault(error)})`, status);
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes)
      throw new ExchangeError('ANSWER_TOO_LARGE', `the answer is larger than ${maxBytes} bytes`, response.status);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Returns the system's code of the fault, such as ECONNREFUSED; never its text, which may contain addresses. */
function networkFault(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'connection failed';
}
