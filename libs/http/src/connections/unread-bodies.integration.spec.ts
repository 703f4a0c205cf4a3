import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tendConnections, type Connections } from './connections.js';

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\n';
const UNREAD = {
  'was not sent': `${HEAD}content-length: 16777216\r\n\r\n`,
  'was sent in part': `${HEAD}content-length: 16777216\r\n\r\n{`,
  'has no length': `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
} as const;

let server: Server;
let connections: Connections;
let client: Socket;
let heard: string;
let ended: Promise<unknown>;
/** The server waits for this before it answers. */
let answers: Promise<void>;
beforeEach(async () => {
  answers = Promise.resolve();
  server = createServer((_request, response) => void answers.then(() => response.end('{}')));
  // No timeout of Node ends a connection in this suite.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
  connections = tendConnections(server, () => null);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  heard = '';
  client.on('data', (data) => (heard += data.toString()));
  ended = once(client, 'end');
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
});

/** Waits until this many answers have arrived. */
const hear = async (count: number): Promise<void> => {
  while (heard.split('{}').length <= count) await once(client, 'data');
};
/** Closes the server like Fastify does. */
const stop = (): Promise<unknown> => {
  connections.stop();
  return new Promise((resolve) => server.close(resolve));
};

describe('a server that stops', () => {
  it.each(Object.entries(UNREAD))('does not wait for the rest of an answered body that %s', async (_what, sent) => {
    client.write(sent);
    await hear(1);
    await Promise.all([stop(), ended]);
  });

  it('answers a pending request, and does not wait for the rest of its body either', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answers = promise;
    client.write(UNREAD['was sent in part']);
    await once(server, 'request');
    const stopped = stop();
    resolve();
    await hear(1);
    await Promise.all([stopped, ended]);
  });

  it('reads a body that arrives after its answer, and answers the next request', async () => {
    client.write(`${HEAD}content-length: 2\r\n\r\n`);
    await hear(1);
    client.write(`{}${HEAD}content-length: 0\r\n\r\n`);
    await hear(2);
    await stop();
    expect(server.listening).toBe(false);
  });
});
