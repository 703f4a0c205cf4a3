import type { IncomingMessage } from 'node:http';
import { ApiError, refusal, wholeRefusal } from '../errors/api.error.js';
import { DRAIN_BOUNDS } from '../connections/lingering-close.js';

const FIRST_ALLOCATION_BYTES = 16 * 1024;
/** Of a body that says how long it is, memory for so many times what has arrived is taken at once: most are copied once. */
const AHEAD_OF_DECLARED = 16;

/**
 * Bytes of bodies that have arrived and are held by this process, and what of them one sender may hold. An announced
 * length holds nothing: a body that comes slowly keeps nobody else out.
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

  /** The account of one body. @throws ApiError when as much as is announced would not fit now. */
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
  /** @throws ApiError when they do not fit. */
  take(bytes: number): void;
  /** Gives back everything, and takes nothing from then on. */
  close(): void;
}

/** The length a request declares; null when it declares none (chunked). */
export function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

/** Whether a body follows the head; one of no bytes is none. */
export const announcesBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || (declaredLength(request) ?? 0) > 0;

export const tooLarge = (maxBytes: number, actual: string): ApiError =>
  wholeRefusal('REQUEST_TOO_LARGE', '', { expected: `at most ${maxBytes} bytes`, actual });

export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly account: BodyAccount;
}

/** Said of a request whose body cannot be read further: its chunks are none, or its sender ended before it did. */
const BROKEN = 'broken-body';
const broken = new WeakSet<IncomingMessage>();

/** Tells whoever reads the body, now or later. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/**
 * Reads a body to its end, counting what really arrives, into memory of about its size however small its pieces are.
 * @throws ApiError `REQUEST_TOO_LARGE` as soon as one byte too many came, `REQUEST_TIMEOUT` when it is too slow or its
 * sender has gone. `HEADER_INVALID` when it is not framed as HTTP frames bodies; and what the account throws.
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
    // A sender that left, or spoke no HTTP, while the key was looked up sends no further event.
    if (broken.has(stream)) return onBroken();
    if (stream.destroyed && !stream.complete) return onGone();
    stream.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).on(BROKEN, onBroken);
  });
}

/**
 * Lets an unwanted body run into nothing, within bounds; then the connection goes. Where the connection ends with the
 * answer, `LingeringClose` does the same with what is left.
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
