import { exchange, ExchangeError, readOrigin, retryAfterOf, type Received } from '@launch/client-core/transport';
import { decodeAnswer } from './decode.js';
import type { Answer, InputOf, Operation, OperationId, StatusOf } from './operation.js';

export interface ApiClientOptions {
  /** Returns the key. Called once for each call of a route that takes a key, and for no other. */
  readonly apiKey?: () => string | Promise<string>;
  /** Aborts the call in flight. */
  readonly signal?: AbortSignal;
  /** Bounds of an answer. Defaults to `BOUNDS`. */
  readonly bounds?: Partial<Bounds>;
  /** Headers of every call, such as those that a server adds about its own client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Admits `http:` to any host: for a server that reaches the service inside a private network. */
  readonly isNetworkPrivate?: boolean;
}

export interface Bounds {
  readonly bytes: number;
  /** Timeout of a read in milliseconds, from the first byte sent to the last byte received. */
  readonly readMs: number;
  /** The same timeout for a call that may change state. */
  readonly writeMs: number;
}

export const BOUNDS: Bounds = { bytes: 4 * 1024 * 1024, readMs: 30_000, writeMs: 60_000 };

/** The part of a call's input that the transport reads. `InputOf` is the input of each route. */
interface Sent {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Calls routes of one service. Sends each call once, to the client's own origin, and follows no redirect. An answer that the
 * OpenAPI document does not declare is an error.
 */
export class ApiClient {
  readonly origin: string;
  private readonly bounds: Bounds;

  /** @throws {ExchangeError} `ORIGIN_UNUSABLE` unless the origin uses HTTPS, is a loopback address or is in a private network. */
  constructor(
    origin: string,
    private readonly options: ApiClientOptions = {},
  ) {
    const read = options.isNetworkPrivate === true ? { origin: new URL(origin).origin } : readOrigin(origin);
    if ('fault' in read) throw new ExchangeError('ORIGIN_UNUSABLE', `the service's origin ${read.fault}`);
    this.origin = read.origin;
    this.bounds = { ...BOUNDS, ...options.bounds };
  }

  /**
   * @param bounds of this answer, in place of the client's
   * @throws {ExchangeError} if there is no usable answer.
   */
  async call<Id extends OperationId>(
    operation: Operation<Id>,
    input: InputOf<Id>,
    bounds: Partial<Bounds> = {},
  ): Promise<Answer<Id>> {
    const sent: Sent = input;
    const { bytes, readMs, writeMs } = { ...this.bounds, ...bounds };
    const { method, secured } = operation;
    const received = await exchange({
      url: this.urlOf(operation.path, sent),
      method,
      headers: await this.headersOf(sent, secured),
      ...(sent.body === undefined ? {} : { body: sent.body }),
      maxBytes: bytes,
      deadlineMs: method === 'GET' ? readMs : writeMs,
      ...(this.options.signal === undefined ? {} : { signal: this.options.signal }),
    });
    return answerOf(operation, received);
  }

  private urlOf(template: string, { path = {}, query = {} }: Sent): URL {
    const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => segmentOf(name, path[name]));
    const url = new URL(`${this.origin}${filled}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    if (url.origin !== this.origin) throw new ExchangeError('INPUT_UNUSABLE', 'the call leaves the origin');
    return url;
  }

  private async headersOf({ header = {}, body }: Sent, secured: boolean): Promise<Record<string, string>> {
    const { apiKey } = this.options;
    if (secured && apiKey === undefined) throw new ExchangeError('INPUT_UNUSABLE', 'the route takes a key');
    const given = Object.entries(header).filter(([, value]) => value !== undefined);
    return {
      ...this.options.headers,
      ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
      accept: 'application/json, */*;q=0.1',
      ...(secured && apiKey !== undefined ? { authorization: `Bearer ${await apiKey()}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
  }
}

/** Encodes one segment of a path. Refuses dot segments, which would name another route. */
function segmentOf(name: string, value: unknown): string {
  const text = value === undefined ? '' : String(value);
  if (text === '' || text === '.' || text === '..')
    throw new ExchangeError('INPUT_UNUSABLE', `the path parameter ${name} names nothing`);
  return encodeURIComponent(text);
}

function answerOf<Id extends OperationId>({ answers }: Operation<Id>, received: Received): Answer<Id> {
  const { status } = received;
  if (!Object.hasOwn(answers, status)) {
    const isRedirect = status >= 300 && status < 400;
    throw isRedirect
      ? new ExchangeError('ANSWER_REDIRECTED', 'the answer points elsewhere, where nothing is sent', status)
      : new ExchangeError(
          'ANSWER_STATUS_UNKNOWN',
          'the route has no answer with this status',
          status,
          retryAfterOf(received.headers),
        );
  }
  const value = decodeAnswer(received, answers[status as StatusOf<Id>]);
  return { ...received, value } as Answer<Id>;
}
