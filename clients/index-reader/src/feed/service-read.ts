import { exchange, ExchangeError, readJson, readOrigin, type Received } from '@launch/client-core/transport';
import type { JsonValue } from '@launch/contracts/json';
import { checkSignature, type AnswerKeys } from './answer-signature.js';
import { refusalOf } from './service.refusal.js';

/** Most bytes of an answer of an index. */
const MAX_ANSWER_BYTES = 1 << 20;

/** Reads of one origin that share one deadline. */
export class ServiceRead {
  readonly origin: string;
  readonly #endsAt: number;

  /** @throws {ExchangeError} `ORIGIN_UNUSABLE`, before anything is sent. */
  constructor(
    origin: string,
    readonly deadlineMs: number,
    readonly signal?: AbortSignal,
    readonly keys?: AnswerKeys,
  ) {
    const read = readOrigin(origin);
    if ('fault' in read) throw new ExchangeError('ORIGIN_UNUSABLE', `the origin ${read.fault}`);
    this.origin = read.origin;
    this.#endsAt = performance.now() + deadlineMs;
  }

  /** Reads an answer that the service signs. If there are keys, one of them must have signed it. @throws {FeedError} */
  async getSigned(target: string): Promise<Received & { readonly json: JsonValue }> {
    const answer = await this.get(target);
    if (this.keys !== undefined) checkSignature(answer, new URL(target, this.origin), this.keys);
    return answer;
  }

  /**
   * @throws {ExchangeError} unless the answer is complete, has status 200 and comes from exactly this target;
   * {ServiceRefusal} if the service states the error.
   */
  async get(target: string, maxBytes = MAX_ANSWER_BYTES): Promise<Received & { readonly json: JsonValue }> {
    const leftMs = Math.floor(this.#endsAt - performance.now());
    if (leftMs < 1) throw new ExchangeError('ANSWER_TOO_SLOW', `reading took more than ${this.deadlineMs} ms`);
    const received = await exchange({
      url: new URL(target, this.origin),
      method: 'GET',
      headers: { accept: 'application/json' },
      maxBytes,
      deadlineMs: leftMs,
      ...(this.signal === undefined ? {} : { signal: this.signal }),
    });
    const { status } = received;
    if (status >= 300 && status < 400)
      throw new ExchangeError('ANSWER_REDIRECTED', 'the answer points elsewhere, where nothing is sent', status);
    if (status !== 200) throw refusalOf(received);
    return { ...received, json: readJson(received) };
  }
}
