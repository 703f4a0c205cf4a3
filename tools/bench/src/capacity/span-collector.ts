import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** The calls of one service that its spans report. */
export interface TracedCalls {
  readonly statements: number;
  /** HTTP requests to observers of a chain; one can hold several calls of JSON-RPC. */
  readonly observerRequests: number;
}

export interface SpanCollector {
  /** Origin for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  /** Returns the calls of each service since the last call of `take`. */
  take(): ReadonlyMap<string, TracedCalls>;
  close(): Promise<void>;
}

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.union([z.number(), z.string()]).optional() }),
});
const exportedSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(z.object({ attributes: z.array(attribute).default([]) })) })),
    }),
  ),
});

/**
 * Counts the spans of statements and of requests to observers by service, as a collector of OTLP over HTTP.
 * @param observerPorts the ports of loopback that observers listen on.
 */
export async function startSpanCollector(observerPorts: ReadonlySet<number>): Promise<SpanCollector> {
  let counted = new Map<string, { statements: number; observerRequests: number }>();
  const count = (body: string): void => {
    for (const { resource, scopeSpans } of exportedSchema.parse(JSON.parse(body)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      const calls = counted.get(service) ?? { statements: 0, observerRequests: 0 };
      for (const { attributes } of scopeSpans.flatMap(({ spans }) => spans)) {
        const port = attributes.find(({ key }) => key === 'server.port')?.value.intValue;
        if (attributes.some(({ key }) => key === 'db.system.name')) calls.statements += 1;
        else if (port !== undefined && observerPorts.has(Number(port))) calls.observerRequests += 1;
      }
      counted.set(service, calls);
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        count(Buffer.concat(chunks).toString('utf8'));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = counted;
      counted = new Map();
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
