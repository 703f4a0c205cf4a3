import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { RpcAnswer } from '../anvil/json-rpc.client.js';
import { listen, readBody, sendJson } from '../http.server.js';
import type { ListeningServer } from '../http.server.js';
import type { Params } from './block-parameters.js';
import type { Faults } from './faults.schema.js';

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

const idSchema = z.union([z.string().max(256), z.number(), z.null()]).default(null);
const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema,
  method: z.string().max(128),
  params: z.array(z.unknown()).max(64).default([]),
});
const bodySchema = z.union([requestSchema, z.array(requestSchema).min(1).max(1000)]);

type RpcRequest = z.output<typeof requestSchema>;
type RpcResponse = RpcAnswer & { readonly jsonrpc: '2.0'; readonly id: RpcRequest['id'] };

/** The target of calls. Its faults apply before it is asked. */
export interface Answering {
  readonly faults: Faults;
  answer(method: string, params: Params): Promise<RpcAnswer>;
}

/** Serves one endpoint as JSON-RPC over HTTP, including its transport faults. */
export function serveEndpoint(endpoint: Answering, port: number, host: string): Promise<ListeningServer> {
  return listen(port, (request, response) => handle(endpoint, request, response), host);
}

async function handle(endpoint: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const text = await readBody(request, MAX_REQUEST_BYTES);
  if (text === null) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const body = parseBody(text);
  if (body === null) {
    sendJson(response, 200, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid request' } });
    return;
  }
  const calls = Array.isArray(body) ? body : [body];
  if (await strike(endpoint, calls, request, response)) return;
  const answers = await Promise.all(calls.map((call) => answerOne(endpoint, call)));
  if (endpoint.faults.reorderBatchResponses) answers.reverse();
  sendJson(response, 200, Array.isArray(body) ? answers : answers[0]);
}

function parseBody(text: string): z.output<typeof bodySchema> | null {
  try {
    const parsed = bodySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Applies transport faults and returns whether one consumed the whole request. */
async function strike(
  endpoint: Answering,
  calls: readonly RpcRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { methods, delayMs, dropResponses, errors } = endpoint.faults;
  if (methods !== null && !calls.some((call) => methods.includes(call.method))) return false;
  if (delayMs > 0) await delay(delayMs);
  if (dropResponses === 'timeout') return true;
  if (dropResponses === 'reset') {
    request.socket.destroy();
    return true;
  }
  if (errors) sendJson(response, 500, { error: 'internal error' });
  return errors;
}

async function answerOne(endpoint: Answering, call: RpcRequest): Promise<RpcResponse> {
  try {
    return { jsonrpc: '2.0', id: call.id, ...(await endpoint.answer(call.method, call.params)) };
  } catch {
    return { jsonrpc: '2.0', id: call.id, error: { code: -32603, message: 'internal error' } };
  }
}
