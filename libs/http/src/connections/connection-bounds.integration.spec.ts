import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { boundConnections, type ConnectionBounds } from './connection-bounds.js';

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

async function listen(bounds: ConnectionBounds): Promise<void> {
  server = createServer((_request, response) => response.end('{}'));
  boundConnections(server, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Opens a connection from an address of loopback. */
function open(localAddress: string): Socket {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  clients.push(client);
  return client;
}

/** Sends a request on a connection. Resolves with the status line, or with an empty text if the server closes it. */
function ask(client: Socket): Promise<string> {
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return new Promise((resolve) => {
    client.once('data', (data) => resolve(String(data).split('\r\n')[0]!));
    client.once('close', () => resolve(''));
  });
}

describe('A listener with bounds on its connections', () => {
  it('closes those of an address above its share and keeps serving all others', async () => {
    await listen({ open: 100, ofAddress: 3 });
    const flood = Array.from({ length: 10 }, () => open('127.0.0.2'));
    const heard = await Promise.all(flood.map(ask));
    expect(heard.filter((line) => line === 'HTTP/1.1 200 OK')).toHaveLength(3);
    expect(heard.filter((line) => line === '')).toHaveLength(7);
    expect(await ask(open('127.0.0.3'))).toBe('HTTP/1.1 200 OK');
    flood.forEach((client) => client.destroy());
    while ((await ask(open('127.0.0.2'))) === '');
  });

  it('closes a connection above its total, and idle ones, so that the next has room', async () => {
    await listen({ open: 4, ofAddress: null });
    const kept = Array.from({ length: 4 }, () => open('127.0.0.1'));
    expect(await Promise.all(kept.map(ask))).toEqual(Array(4).fill('HTTP/1.1 200 OK'));
    const ended = Promise.all(kept.map((client) => new Promise((resolve) => client.once('close', resolve))));
    expect(await ask(open('127.0.0.1'))).toBe('');
    await ended;
    expect(await ask(open('127.0.0.1'))).toBe('HTTP/1.1 200 OK');
  });
});
