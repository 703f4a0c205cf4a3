import { ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { LingeringClose } from './lingering-close.js';
import { UnreadBodies } from './unread-bodies.js';
import { UnreadableRequests, type CountPeer } from './unreadable-request.js';

export interface Connections {
  /** Takes what Node's parser gave up on. */
  readonly unreadable: UnreadableRequests;
  /** The process stops. */
  stop(): void;
}

/** What holds for connections, beneath the requests on them: how they end, and what Node would do with them by itself. */
export function tendConnections(server: Server, countPeer: CountPeer): Connections {
  const closing = new LingeringClose();
  const unreadable = new UnreadableRequests(closing, countPeer);
  server.on('connection', (socket: Socket) => closing.adopt(socket));
  unreadable.watch(server);
  const unread = new UnreadBodies(closing);
  unread.watch(server);
  // Heads are bounded in bytes; a bound on their number would drop the headers above it, whatever they say.
  server.maxHeadersCount = 0;
  // Tunnels are no service of this process. Node would end the connection without a word.
  server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => closing.close(socket as Socket));
    server.emit('request', request, response);
  });
  // A sender that asks first is told to go on when its body will be read, and else what is wrong.
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
