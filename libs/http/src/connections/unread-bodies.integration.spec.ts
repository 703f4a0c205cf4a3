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
/** What the server waits for before it answers. */
let answers: Promise<void>;
beforeEach(async () => {
  answers = Promise.resolve();
  server = createServer((_request, response) => void answers.then(() => response.end('{}')));
  // No time limit of Node ends a connection here.
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

/** Until so many answers were heard. */
const hear = async (count: number): Promise<void> => {
  while (heard.split('{}').length <= count) await once(client, 'data');
};
/** As Fastify closes a server. */
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

  it('answers who waits, and does not wait for the rest of that body either', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answers = promise;
    client.write(UNREAD['was sent in part']);
    await once(server, 'request');
    const stopped = stop();
    resolve();
    await hear(1);
    await Promise.all([stopped, ended]);
  });

  it('hears a body to its end that comes after its answer, and answers what follows it', async () => {
    client.write(`${HEAD}content-length: 2\r\n\r\n`);
    await hear(1);
    client.write(`{}${HEAD}content-length: 0\r\n\r\n`);
    await hear(2);
    await stop();
    expect(server.listening).toBe(false);
  });
});
