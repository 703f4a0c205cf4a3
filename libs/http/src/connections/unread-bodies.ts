import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody } from '../requests/request-body.js';
import type { LingeringClose } from './lingering-close.js';

/**
 * Tracks connections on which a request was answered before the rest of its body arrived. Node does not count them as
 * idle: a closing server would wait until the request itself times out.
 */
export class UnreadBodies {
  private readonly answered = new Map<Socket, IncomingMessage>();
  private stopping = false;

  constructor(private readonly closing: LingeringClose) {}

  /** Tracks the requests that were parsed and have a body. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (announcesBody(request)) response.once('close', () => this.leave(request));
    });
  }

  /** Begins the shutdown: no longer waits for the rest of these bodies, nor of those answered from now on. */
  stop(): void {
    this.stopping = true;
    for (const [socket, request] of this.answered) if (!request.complete) this.closing.close(socket);
  }

  private leave(request: IncomingMessage): void {
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    if (this.stopping) {
      this.closing.close(socket);
      return;
    }
    // Once per connection: its next request replaces this one.
    if (!this.answered.has(socket)) socket.once('close', () => this.answered.delete(socket));
    this.answered.set(socket, request);
  }
}
