import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@launch/start';

const SERVER = fileURLToPath(new URL('../../../../apps/site/dist/server/index.js', import.meta.url));

/** Changes of the gateway's answers; null in place of an answer ends the connection. */
export const ALTERATIONS = {
  /** The index is behind both chains. */
  stale: (body: string) =>
    body.replaceAll('"status":"ok"', '"status":"stale"').replaceAll('"freshness":"ok"', '"freshness":"stale"'),
  /** The index could not read a part of a chain. */
  incomplete: (body: string) => body.replaceAll('"status":"ok"', '"status":"indeterminate"'),
  /** The service does not answer. */
  down: () => null,
} as const satisfies Record<string, (body: string) => string | null>;
export type Alteration = keyof typeof ALTERATIONS;

export interface AlteredSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts the website's server in front of a gateway whose answers are altered. */
export async function startAlteredSite(
  { gateway }: Pick<Stack, 'gateway'>,
  alteration: Alteration,
): Promise<AlteredSite> {
  const alter: (body: string) => string | null = ALTERATIONS[alteration];
  const proxy = createServer((request, response) => {
    answer(gateway, alter, request, response).catch(() => response.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const site = spawn(process.execPath, [SERVER], {
    env: {
      ...process.env,
      LAUNCH_PARENT_PID: String(process.pid),
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      PUBLIC_GATEWAY_URL: gateway,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = (await once(site.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(ready.toString().split('\n')[0]!) as { readonly port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      const ended = once(site, 'exit');
      site.kill();
      await ended;
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

async function answer(
  gateway: string,
  alter: (body: string) => string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const read = await fetch(new URL(request.url!, gateway));
  const body = alter(await read.text());
  if (body === null) {
    response.destroy();
    return;
  }
  const type = read.headers.get('content-type') ?? 'application/octet-stream';
  response.writeHead(read.status, { 'content-type': type }).end(body);
}
