import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody } from '../requests/request-body.js';
import type { LingeringClose } from './lingering-close.js';

/**
 * Connections on which a request was answered and the rest of its body never came. Node does not count them as idle: a
 * server that closes would wait until the request itself takes too long.
 */
export class UnreadBodies {
  private readonly answered = new Map<Socket, IncomingMessage>();
  private stopping = false;

  constructor(private readonly closing: LingeringClose) {}

  /** Follows the requests that could be read and bring a body. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (announcesBody(request)) response.once('close', () => this.leave(request));
    });
  }

  /** The process stops: nobody waits for what is left of these bodies, nor of those that are answered from now on. */
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
    // Once a connection: its next request takes the place of this one.
    if (!this.answered.has(socket)) socket.once('close', () => this.answered.delete(socket));
    this.answered.set(socket, request);
  }
}
