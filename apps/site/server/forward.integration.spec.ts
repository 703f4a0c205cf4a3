import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { forwarding } from './forward.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

async function serve(listener: Listener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A site before a gateway that closes the connection of some requests, counted from 1, instead of a response. */
async function siteOf(closes: (count: number) => boolean) {
  let count = 0;
  const gateway = await serve((request, response) => {
    count += 1;
    if (closes(count)) request.socket.destroy();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"request":${count}}`);
  });
  const forward = forwarding(gateway);
  const visitor = { key: '192.0.2.1', address: '192.0.2.1' };
  const site = await serve((request, response) => forward(request, response, visitor));
  const read = async () => {
    const response = await fetch(`${site}/api/indexers/v1/status`);
    return { status: response.status, body: await response.json() };
  };
  return { read, requests: () => count };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

describe('The forwarded public reads', () => {
  it('are repeated once when the gateway closes the connection that an earlier read opened.', async () => {
    const { read, requests } = await siteOf((count) => count === 2);
    expect(await read()).toEqual({ status: 200, body: { request: 1 } });
    expect(await read()).toEqual({ status: 200, body: { request: 3 } });
    expect(requests()).toBe(3);
  });

  it('fail with a code when the gateway closes a new connection.', async () => {
    const { read, requests } = await siteOf(() => true);
    expect(await read()).toMatchObject({ status: 502, body: { error: { code: 'GATEWAY_UNREACHABLE' } } });
    expect(requests()).toBe(1);
  });
});
