import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiClient, getHealth } from '@launch/sdk/operations';
import { readPublic } from './gateway.js';

let server: Server;

/** A client of a gateway that closes the connection of its first requests instead of a response. */
async function gatewayClosing(first: number) {
  let count = 0;
  server = createServer((request, response) => {
    count += 1;
    if (count <= first) request.socket.destroy();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { api, requests: () => count };
}

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe('A public read of a page', () => {
  it('is repeated once when the gateway closes its connection.', async () => {
    const { api, requests } = await gatewayClosing(1);
    expect(await readPublic(api, getHealth, {})).toMatchObject({ is: 'value', value: { status: 'ok' } });
    expect(requests()).toBe(2);
  });

  it('is unavailable when the repeated read has no answer either.', async () => {
    const { api, requests } = await gatewayClosing(9);
    expect(await readPublic(api, getHealth, {})).toMatchObject({ is: 'unavailable', code: 'SERVICE_UNREACHABLE' });
    expect(requests()).toBe(2);
  });
});
