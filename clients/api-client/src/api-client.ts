import { exchange, ExchangeError, readOrigin, type Received } from '@launch/client-core/transport';
import { decodeAnswer } from './decode.js';
import type { Answer, InputOf, Operation, OperationId, StatusOf } from './operation.js';

export interface ApiClientOptions {
  /** Asked once for each call of a route that takes a key, and for no other. */
  readonly apiKey?: () => string | Promise<string>;
  /** Ends the call that is under way. */
  readonly signal?: AbortSignal;
  /** Bounds of an answer; the defaults are `BOUNDS`. */
  readonly bounds?: Partial<Bounds>;
}

export interface Bounds {
  readonly bytes: number;
  /** From the first byte sent to the last one received, of a read. */
  readonly readMs: number;
  /** The same of anything that may change something. */
  readonly writeMs: number;
}

export const BOUNDS: Bounds = { bytes: 4 * 1024 * 1024, readMs: 30_000, writeMs: 60_000 };

/** What of a call's input the transport reads; `InputOf` says what each route wants. */
interface Sent {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Calls routes of one service. Each call is sent once, to the origin that the client was made for. It follows no
 * redirect, and an answer is one that the OpenAPI document names or an error.
 */
export class ApiClient {
  readonly origin: string;
  private readonly bounds: Bounds;

  /** @throws {ExchangeError} `ORIGIN_UNUSABLE` for what is no HTTPS origin and no loopback one. */
  constructor(
    origin: string,
    private readonly options: ApiClientOptions = {},
  ) {
    const read = readOrigin(origin);
    if ('fault' in read) throw new ExchangeError('ORIGIN_UNUSABLE', `the service's origin ${read.fault}`);
    this.origin = read.origin;
    this.bounds = { ...BOUNDS, ...options.bounds };
  }

  /** @throws {ExchangeError} whenever there is no answer that may be used. */
  async call<Id extends OperationId>(operation: Operation<Id>, input: InputOf<Id>): Promise<Answer<Id>> {
    const sent: Sent = input;
    const { method, secured } = operation;
    const received = await exchange({
      url: this.urlOf(operation.path, sent),
      method,
      headers: await this.headersOf(sent, secured),
      ...(sent.body === undefined ? {} : { body: sent.body }),
      maxBytes: this.bounds.bytes,
      deadlineMs: method === 'GET' ? this.bounds.readMs : this.bounds.writeMs,
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
      ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
      accept: 'application/json, */*;q=0.1',
      ...(secured && apiKey !== undefined ? { authorization: `Bearer ${await apiKey()}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
  }
}

/** One segment of a path; a dot segment would name another route. */
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
      : new ExchangeError('ANSWER_STATUS_UNKNOWN', 'the route has no answer with this status', status);
  }
  const value = decodeAnswer(received, answers[status as StatusOf<Id>]);
  return { ...received, value } as Answer<Id>;
}
