import type { IncomingMessage } from 'node:http';
import { ApiError, refusal, detailedRefusal } from '../errors/api.error.js';
import { DRAIN_BOUNDS } from '../connections/lingering-close.js';

const FIRST_ALLOCATION_BYTES = 16 * 1024;
/**
 * With a declared length, memory for this many times the received bytes is allocated at once, so that most bodies are
 * copied once.
 */
const AHEAD_OF_DECLARED = 16;

/**
 * The budget of received body bytes that this process holds, with a share for each sender. An announced length uses
 * nothing: a slow body excludes no other client.
 */
export class BodyBudget {
  private held = 0;
  private readonly bySender = new Map<string, number>();

  constructor(
    private readonly maxBytes: number,
    private readonly maxBytesOfSender: number,
  ) {}

  get bytesHeld(): number {
    return this.held;
  }

  /** Opens the account of one body. @throws ApiError if the announced length would not fit now. */
  open(sender: string, announced: number): BodyAccount {
    this.check(sender, announced);
    let taken = 0;
    let closed = false;
    return {
      take: (bytes) => {
        if (closed) return;
        this.check(sender, bytes);
        this.add(sender, bytes);
        taken += bytes;
      },
      close: () => {
        closed = true;
        this.add(sender, -taken);
        taken = 0;
      },
    };
  }

  private check(sender: string, bytes: number): void {
    if (this.held + bytes > this.maxBytes) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    if ((this.bySender.get(sender) ?? 0) + bytes > this.maxBytesOfSender)
      throw new ApiError('RATE_LIMITED', { retryAfterSeconds: 1 });
  }

  private add(sender: string, bytes: number): void {
    this.held += bytes;
    const held = (this.bySender.get(sender) ?? 0) + bytes;
    if (held === 0) this.bySender.delete(sender);
    else this.bySender.set(sender, held);
  }
}

export interface BodyAccount {
  /** Counts received bytes. @throws ApiError if they do not fit. */
  take(bytes: number): void;
  /** Gives back everything, and counts nothing from then on. */
  close(): void;
}

/** Returns the length that a request declares, or null if it declares none (chunked). */
export function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

/** Reports whether a body follows the head; an empty one does not count. */
export const announcesBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || (declaredLength(request) ?? 0) > 0;

export const tooLarge = (maxBytes: number, actual: string): ApiError =>
  detailedRefusal('REQUEST_TOO_LARGE', '', { expected: `at most ${maxBytes} bytes`, actual });

export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly account: BodyAccount;
}

/** The event of a request whose body cannot be read further: its chunks are malformed, or its sender ended early. */
const BROKEN = 'broken-body';
const broken = new WeakSet<IncomingMessage>();

/** Notifies the current or later reader of the body. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/**
 * Reads a body to its end, counting the received bytes, into memory of about its size for pieces of any size.
 * @throws ApiError `REQUEST_TOO_LARGE` at the first byte too many, `REQUEST_TIMEOUT` if it is too slow or its sender
 * disconnected, `HEADER_INVALID` if it is not framed as HTTP requires; and the errors of the account.
 */
export function readBody(stream: IncomingMessage, { maxBytes, timeoutMs, account }: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = declaredLength(stream);
    const longest = Math.min(declared ?? maxBytes, maxBytes);
    const ahead = declared === null ? 2 : AHEAD_OF_DECLARED;
    let body = Buffer.allocUnsafeSlow(0);
    let length = 0;
    const finish = (error: unknown): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone).off(BROKEN, onBroken);
      if (error === null) resolve(body.subarray(0, length));
      else {
        drain(stream);
        reject(error as Error);
      }
    };
    const onData = (chunk: Buffer): void => {
      if (length + chunk.length > maxBytes) return finish(tooLarge(maxBytes, `more than ${maxBytes} bytes`));
      try {
        account.take(chunk.length);
      } catch (error) {
        return finish(error);
      }
      if (length + chunk.length > body.length) {
        const wanted = Math.max(FIRST_ALLOCATION_BYTES, (length + chunk.length) * ahead);
        const larger = Buffer.allocUnsafeSlow(Math.min(longest, wanted));
        body.copy(larger, 0, 0, length);
        body = larger;
      }
      length += chunk.copy(body, length);
    };
    const onEnd = (): void => finish(null);
    const onGone = (): void => finish(new ApiError('REQUEST_TIMEOUT'));
    const onBroken = (): void =>
      finish(
        refusal(
          'HEADER_INVALID',
          '',
          { expected: 'a body of the length or in the chunks that it announces' },
          { headers: { connection: 'close' } },
        ),
      );
    const timer = setTimeout(
      () => finish(new ApiError('REQUEST_TIMEOUT', { headers: { connection: 'close' } })),
      timeoutMs,
    );
    // A sender that disconnected or broke the framing during the key look-up causes no further event.
    if (broken.has(stream)) return onBroken();
    if (stream.destroyed && !stream.complete) return onGone();
    stream.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).on(BROKEN, onBroken);
  });
}

/**
 * Discards an unwanted body within bounds, then closes the connection. If the connection ends with the answer,
 * `LingeringClose` does the same with the rest.
 */
export function drain(stream: IncomingMessage): void {
  if (stream.complete || stream.destroyed) return;
  let left = DRAIN_BOUNDS.bytes;
  const giveUp = (): void => {
    if (!stream.complete) stream.socket.destroy();
  };
  const timer = setTimeout(giveUp, DRAIN_BOUNDS.totalMs);
  timer.unref();
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) giveUp();
  });
  stream.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}
