import type { IncomingMessage } from 'node:http';
import { ApiError } from './api.error.js';

/** A body that is slower than this is given up on. */
export const BODY_TIMEOUT_MS = 30_000;
/** After an early refusal the rest of a body is drained for this long, so that the sender can read the answer. */
const DRAIN_MS = 10_000;

/** Bytes of bodies held at once by this process; beyond them new bodies are asked to come back. */
export class BodyBudget {
  private held = 0;
  constructor(private readonly maxBytes: number) {}

  take(bytes: number): void {
    if (this.held + bytes > this.maxBytes) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    this.held += bytes;
  }
  give(bytes: number): void {
    this.held -= bytes;
  }
}

/** The length a request declares; null when it declares none (chunked). */
export function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

/**
 * Reads a body to its end, counting what really arrives.
 * @throws ApiError `REQUEST_TOO_LARGE` as soon as one byte too many came, `REQUEST_TIMEOUT` when it is too slow.
 */
export function readBody(stream: IncomingMessage, maxBytes: number, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (error: Error | null): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error === null) resolve(Buffer.concat(chunks, length));
      else {
        drain(stream);
        reject(error);
      }
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) finish(new ApiError('REQUEST_TOO_LARGE'));
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(null);
    const onBroken = (): void => finish(new ApiError('REQUEST_TIMEOUT'));
    const timer = setTimeout(() => finish(new ApiError('REQUEST_TIMEOUT', { headers: { connection: 'close' } })), timeoutMs);
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Lets an unwanted body run into nothing, for a while; then the connection goes. */
export function drain(stream: IncomingMessage): void {
  if (stream.complete || stream.destroyed) return;
  stream.on('error', () => undefined);
  stream.resume();
  const timer = setTimeout(() => {
    if (!stream.complete) stream.socket.destroy();
  }, DRAIN_MS);
  timer.unref();
  stream.once('end', () => clearTimeout(timer));
}
