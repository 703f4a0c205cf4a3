import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from '@launch/platform';
import { ApiError } from '../errors/api.error.js';
import { DEFAULT_ERRORS } from '../errors/error-answer.js';
import { deafen, type LingeringClose } from './lingering-close.js';
import { breakBody } from '../requests/request-body.js';
import { targetTooLong } from '../requests/request-head.js';

/** Node's error for a connection that it cannot parse. */
interface ParserError extends NodeJS.ErrnoException {
  /** The packet that was being parsed; `bytesParsed` is the position in it. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * The key of a connection's last response that is still to be sent: a member, because a table of connections would slow
 * down every read.
 */
const UNANSWERED = Symbol('unanswered');

interface FollowedSocket extends Socket {
  [UNANSWERED]?: ServerResponse | null;
}

/**
 * Counts a connection's address. Returns the quota headers, or null if the address is a proxy's. @throws ApiError
 * `RATE_LIMITED`
 */
export type CountPeer = (socket: Socket) => Readonly<Record<string, string>> | null;

/**
 * Answers heads that Node's parser refuses: malformed, oversized or too slow. They never become requests, so the answer
 * is written to the socket itself, in the error contract like every other refusal.
 */
export class UnreadableRequests {
  constructor(
    private readonly connections: LingeringClose,
    private readonly countPeer: CountPeer,
  ) {}

  /** Tracks parsed requests: answers keep their order, so only a connection's last one matters. */
  watch(server: Server): void {
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      (socket as FollowedSocket)[UNANSWERED] = response;
      response.on('close', forget);
    });
  }

  answer(error: ParserError, socket: Socket): void {
    // On a closing connection, the answer is already on its way.
    if (this.connections.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const earlier = (socket as FollowedSocket)[UNANSWERED];
    if (earlier === undefined || earlier === null) {
      this.refuse(error, socket);
      return;
    }
    deafen(socket);
    const isOfBody = !earlier.req.complete;
    earlier.once('close', () => {
      // The answer to its request already covered the body's fault, or did not depend on it.
      if (isOfBody) this.connections.close(socket);
      else if (socket.writable) this.refuse(error, socket);
    });
    if (isOfBody) breakBody(earlier.req);
  }

  private refuse(error: ParserError, socket: Socket): void {
    let refusal = refusalOf(error);
    let quota: Readonly<Record<string, string>> | null = null;
    try {
      quota = this.countPeer(socket);
    } catch (limited) {
      if (!(limited instanceof ApiError)) throw limited;
      refusal = limited;
    }
    const requestId = newRequestId();
    const body = JSON.stringify(DEFAULT_ERRORS.formFor(undefined).body(refusal, requestId));
    const headers: Readonly<Record<string, string>> = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'private, no-store',
      vary: 'Accept, Authorization',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...quota,
      ...(refusal.retryAfterSeconds === null ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
      date: new Date().toUTCString(),
      connection: 'close',
    };
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    this.connections.close(socket, [...head, '', body].join('\r\n'));
  }
}

/** Clears the member of a finished response; one function for all of them. */
function forget(this: ServerResponse): void {
  const socket = this.req.socket as FollowedSocket;
  if (socket[UNANSWERED] === this) socket[UNANSWERED] = null;
}

function refusalOf(error: ParserError): ApiError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT');
  if (error.code === 'HPE_HEADER_OVERFLOW' && isInTarget(error)) return targetTooLong();
  return new ApiError('HEADER_INVALID');
}

/** Reports whether the parser stopped inside a request line. A line in many packets is not recognised. */
const isInTarget = ({ rawPacket, bytesParsed }: ParserError): boolean =>
  rawPacket !== undefined && /^[A-Z-]+ \S*$/.test(rawPacket.subarray(0, bytesParsed).toString('latin1'));
