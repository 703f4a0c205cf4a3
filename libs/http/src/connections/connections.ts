import { ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { LingeringClose } from './lingering-close.js';
import { UnreadBodies } from './unread-bodies.js';
import { UnreadableRequests, type CountPeer } from './unreadable-request.js';

export interface Connections {
  /** Answers requests that Node's parser refused. */
  readonly unreadable: UnreadableRequests;
  /** Begins the shutdown of the process. */
  stop(): void;
}

/** Sets the rules for connections, beneath their requests: how they end, and which of Node's defaults are replaced. */
export function tendConnections(server: Server, countPeer: CountPeer): Connections {
  const closing = new LingeringClose();
  const unreadable = new UnreadableRequests(closing, countPeer);
  server.on('connection', (socket: Socket) => closing.adopt(socket));
  unreadable.watch(server);
  const unread = new UnreadBodies(closing);
  unread.watch(server);
  // The bytes of heads are bounded; a bound on the number of headers would silently drop those above it.
  server.maxHeadersCount = 0;
  // This process offers no tunnels. Node would end the connection without a response.
  server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => closing.close(socket as Socket));
    server.emit('request', request, response);
  });
  // A sender that expects 100 Continue gets it once its body will be read, and otherwise the error.
  for (const asked of ['checkContinue', 'checkExpectation'] as const)
    server.on(asked, (request, response) => server.emit('request', request, response));
  return {
    unreadable,
    stop: () => {
      closing.stop();
      unread.stop();
    },
  };
}
