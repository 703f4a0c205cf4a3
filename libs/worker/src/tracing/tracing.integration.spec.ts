import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { createLogger, createPool, startTracing, statement } from '@launch/platform';
import { connectTemporal, startOnce, TRACE_HEADER } from '@launch/temporal';
import { Worker } from '@temporalio/worker';
import { createEmptyDatabase, sharedTemporal, uniqueName } from '@launch/testing';
import { boundedFetch } from '../../../chain/src/rpc/bounded.fetch.js';
import { traceRequests } from '../../../http/src/server/trace-requests.js';
import { bundleWorkflows } from '../bundle/bundle-workflows.js';
import { installTemporalRuntime } from '../start/runtime.js';
import { connectWorkers, createServiceWorker } from '../start/service-worker.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

const SECRET = 'a-key-of-the-provider';
const CALLDATA = `0x${'c0ffee'.repeat(8)}`;
const READ_ONE = statement({ name: 'probe.read-one', text: 'SELECT $1::text AS value' });
const logger = createLogger({ service: 'tracing', level: 'silent' });

/** Texts that a collector received, one for each export. */
const received: string[] = [];
const spans = (): readonly Span[] =>
  received.flatMap((text) =>
    (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  );

const servers: Server[] = [];
async function serve(answer: (body: string, path: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(answer(Buffer.concat(chunks).toString('utf8'), request.url ?? ''));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ends: (() => Promise<unknown>)[] = [];
let stopTracing: () => Promise<void>;
let api: string;
/** Replays the traced workflow. Returns the headers of its start and of its activity. */
let replay: () => Promise<readonly (readonly string[])[]>;

beforeAll(async () => {
  installTemporalRuntime(logger);
  const collector = await serve((body, at) => {
    if (at === '/v1/traces') received.push(body);
    return '{}';
  });
  // Before the pool and the routes, as a process does.
  stopTracing = await startTracing({ service: 'tracing-test', endpoint: collector, ratio: 1, logger });

  const rpc = await serve(() => JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }));
  const [target, database, workflowBundle] = await Promise.all([
    sharedTemporal(),
    createEmptyDatabase(),
    bundleWorkflows(path.resolve(import.meta.dirname, '../testdata/probe.bundle.ts')),
  ]);
  const pool = createPool({ connectionString: database.url, applicationName: 'tracing-test', logger });
  const [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const taskQueue = uniqueName('tracing');
  const worker = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue,
    service: 'tracing',
    workflowBundle,
    activities: {
      async echo(value: string) {
        const call = {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data: CALLDATA }] }),
        };
        await (await fetch(`${rpc}/v2/${SECRET}`, call)).json();
        await boundedFetch({ answerBytes: 1_000 })(`${rpc}/v2/${SECRET}`, call);
        await pool.query({ text: READ_ONE.text, values: [value] });
        const client = await pool.connect();
        await client.query('SELECT 1').finally(() => client.release());
        return value;
      },
    },
  });
  const running = worker.run();
  let traced = '';
  replay = async () => {
    const history = await temporal.client.workflow.getHandle(traced).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle }, history, traced);
    return (history.events ?? []).flatMap(
      ({ workflowExecutionStartedEventAttributes: started, activityTaskScheduledEventAttributes: scheduled }) =>
        [started, scheduled].flatMap((one) => (one ? [Object.keys(one.header?.fields ?? {})] : [])),
    );
  };
  const app = fastify();
  traceRequests(app);
  app.post<{ Params: { id: string } }>('/launches/:id', async ({ params }) => {
    const workflowId = (traced = uniqueName('traced'));
    await startOnce(temporal.client, { workflowType: 'probe', workflowId, taskQueue, args: [params.id] });
    return { result: (await temporal.client.workflow.getHandle(workflowId).result()) as string };
  });
  api = await app.listen({ port: 0, host: '127.0.0.1' });
  ends.push(
    () => app.close(),
    async () => (await worker.shutdown(), running),
    () => temporal.close(),
    () => connection.close(),
    () => pool.end(),
    () => database.drop(),
  );
});

afterAll(async () => {
  for (const end of ends) await end();
  for (const server of servers) server.close();
});

describe('A request with a traceparent header', () => {
  it('is one trace from HTTP through workflow and activity to RPC and SQL, without any value', async () => {
    const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const response = await fetch(`${api}/launches/${SECRET}`, {
      method: 'POST',
      headers: { traceparent: `00-${traceId}-${parent}-01` },
    });
    expect(await response.json()).toEqual({ result: SECRET });
    await stopTracing();

    const all = spans();
    const nameOf = (id: string | undefined): string | undefined =>
      id === parent ? 'the client' : all.find(({ spanId }) => spanId === id)?.name;
    const edges = all.map(({ name, parentSpanId, traceId: of }) => [of, name, nameOf(parentSpanId)].join(' < '));
    const edge = (name: string, of: string): string => [traceId, name, of].join(' < ');
    expect(edges.sort()).toEqual(
      [
        edge('POST /launches/:id', 'the client'),
        edge('StartWorkflow probe', 'POST /launches/:id'),
        edge('RunWorkflow probe', 'StartWorkflow probe'),
        edge('RunActivity echo', 'StartWorkflow probe'),
        // The request of fetch, and that of the transport to observers.
        edge('POST', 'RunActivity echo'),
        edge('POST', 'RunActivity echo'),
        edge('probe.read-one', 'RunActivity echo'),
        edge('SELECT', 'RunActivity echo'),
      ].sort(),
    );
    const text = received.join('\n');
    expect(text).toContain('tracing-test');
    for (const value of [SECRET, CALLDATA, 'eth_call', '$1']) expect(text).not.toContain(value);
  });

  it('leaves a history that replays, with one header at the start and at the activity', async () => {
    expect(await replay()).toEqual([[TRACE_HEADER], [TRACE_HEADER]]);
  });
});
