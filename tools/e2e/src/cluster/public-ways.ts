import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way in from this machine, as a name of DNS and a load balancer are one for clients elsewhere. */
export interface PublicWay {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Serves a host of an ingress on a port of loopback; 0 selects a free one. */
export async function openPublicWay(host: string, ingress: URL, port = 0): Promise<PublicWay> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const upstream = request(new URL(url ?? '/', ingress), { method, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', (error) => {
      if (!outgoing.headersSent) outgoing.writeHead(502, { 'x-way': error.message });
      outgoing.end();
    });
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
