import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ChainError } from '../chain.error.js';
import { createObserver, type ObserverExchange, type RpcObserver } from './observer.js';
import type { RpcLimits } from './rpc-limits.js';
import { ask, rpcQuantity } from './rpc-answers.schema.js';

const servers: Server[] = [];
const exchanges: ObserverExchange[] = [];
afterEach(async () => {
  exchanges.length = 0;
  await Promise.all(
    servers.splice(0).map((server) => new Promise((done) => (server.closeAllConnections(), server.close(done)))),
  );
});

async function endpoint(listener: RequestListener, limits: Partial<RpcLimits> = {}): Promise<RpcObserver> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
  return createObserver(
    { id: 'alpha', url, originCommitment: '0x' },
    1,
    { timeoutMs: 5_000, requestBytes: 1_000, answerBytes: 2_000, ...limits },
    (exchange) => exchanges.push(exchange),
  );
}

const answering =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const failure = async (
  observer: RpcObserver,
  params: readonly unknown[] = [],
): Promise<Error & { code: string; data: Record<string, unknown> }> => {
  try {
    await observer.request('eth_call', params);
  } catch (error) {
    return error as never;
  }
  throw new Error('answered');
};

describe('an observer', () => {
  it('returns the result and parses it by its schema', async () => {
    const observer = await endpoint(answering({ jsonrpc: '2.0', id: 1, result: '0x10' }));
    expect(await ask(observer, 'eth_chainId', [], rpcQuantity)).toBe(16n);
    await expect(ask(observer, 'eth_chainId', [], z.array(z.string()))).rejects.toMatchObject({
      code: 'RPC_ANSWER_INVALID',
    });
  });

  it.each([
    [
      'a revert with data',
      { error: { code: 3, message: 'execution reverted', data: '0xABCD' } },
      'RPC_REVERTED',
      { data: '0xabcd' },
    ],
    [
      'a revert with nested data',
      { error: { code: -32000, message: 'reverted', data: { data: '0x01' } } },
      'RPC_REVERTED',
      { data: '0x01' },
    ],
    [
      'a revert without data',
      { error: { code: -32000, message: 'execution reverted' } },
      'RPC_REVERTED',
      { data: '0x' },
    ],
    ['a missing method', { error: { code: -32601, message: 'no such method' } }, 'RPC_METHOD_MISSING', {}],
    ['another refusal', { error: { code: -32000, message: 'header not found' } }, 'RPC_REFUSED', { rpcCode: -32000 }],
  ])('distinguishes %s', async (_what, body, code, data) => {
    const error = await failure(await endpoint(answering({ jsonrpc: '2.0', id: 1, ...body })));
    expect(error.code).toBe(code);
    expect(error.data).toMatchObject(data);
  });

  it('reports each exchange with its outcome, and none for a request that it does not send', async () => {
    const observer = await endpoint((_request, response) => {
      const isFirst = exchanges.length === 0;
      response.writeHead(isFirst ? 200 : 503, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    await observer.request('eth_chainId', []);
    await failure(observer);
    await failure(observer, ['x'.repeat(1_000)]);
    const about = { chainId: 1, observer: 'alpha' };
    expect(exchanges).toEqual([
      { ...about, outcome: 'answered' },
      { ...about, outcome: 'RPC_UNREACHABLE' },
    ]);
  });

  it('bounds the answer regardless of its headers', async () => {
    const error = await failure(await endpoint(answering({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(4_000) })));
    expect(error.code).toBe('RPC_ANSWER_TOO_LARGE');
  });

  it('bounds the request before it is sent', async () => {
    let asked = 0;
    const observer = await endpoint((_request, response) => void (asked++, response.end('{}')));
    expect((await failure(observer, ['x'.repeat(1_000)])).code).toBe('RPC_REQUEST_TOO_LARGE');
    expect(asked).toBe(0);
  });

  it('times out on a body that stalls after its headers', async () => {
    const observer = await endpoint(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"jsonrpc":"2.0",');
      },
      { timeoutMs: 60 },
    );
    expect((await failure(observer)).code).toBe('RPC_TIMEOUT');
  });

  it('sends one request, without a retry or a redirect', async () => {
    let asked = 0;
    const observer = await endpoint((request, response) => {
      asked++;
      response.writeHead(request.url === '/elsewhere' ? 200 : 307, { location: '/elsewhere' });
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    expect((await failure(observer)).code).toBe('RPC_UNREACHABLE');
    expect(asked).toBe(1);
  });

  it('reads a compressed answer, and bounds it as it is decoded', async () => {
    const compressed = (result: string): RequestListener => {
      const bytes = gzipSync(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
      return (request, response) => {
        expect(request.headers).toMatchObject({ 'accept-encoding': 'gzip', 'user-agent': 'node' });
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(bytes);
      };
    };
    const observer = await endpoint(compressed('0xé'));
    expect(await observer.request('eth_call', [])).toBe('0xé');
    expect((await failure(await endpoint(compressed('x'.repeat(4_000))))).code).toBe('RPC_ANSWER_TOO_LARGE');
    const broken: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end('no gzip');
    };
    expect((await failure(await endpoint(broken))).code).toBe('RPC_UNREACHABLE');
  });

  it('refuses a truncated answer', async () => {
    const observer = await endpoint((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
      setImmediate(() => response.destroy());
    });
    expect((await failure(observer)).code).toBe('RPC_UNREACHABLE');
  });

  it('reuses its connection', async () => {
    const connections = new Set<unknown>();
    const observer = await endpoint((request, response) => {
      connections.add(request.socket);
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    for (let count = 0; count < 5; count += 1) await observer.request('eth_chainId', []);
    expect(connections.size).toBe(1);
  });

  describe('with a batch', () => {
    const many = async (body: unknown, questions = 3): Promise<unknown> => {
      const observer = await endpoint(answering(body));
      const answers = await observer.requestMany?.(
        'eth_call',
        Array.from({ length: questions }, (_, index) => [index]),
      );
      return answers?.map((answer) => (answer instanceof ChainError ? answer.code : answer));
    };
    const said = (id: number, result: unknown): object => ({ jsonrpc: '2.0', id, result });

    it('returns each outcome in the order of the requests', async () => {
      const error = { code: 3, message: 'execution reverted', data: '0x01' };
      expect(await many([said(2, 'c'), { jsonrpc: '2.0', id: 1, error }, said(0, 'a')])).toEqual([
        'a',
        'RPC_REVERTED',
        'c',
      ]);
    });

    it('matches each answer to its own request', async () => {
      expect(await many([said(0, 'a'), said(2, 'c'), said(2, 'd')])).toEqual([
        'a',
        'RPC_ANSWER_INVALID',
        'RPC_ANSWER_INVALID',
      ]);
    });

    it.each([
      ['an error for the batch', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }],
      ['text', 'not json'],
      ['malformed answers', [1, 2, 3]],
    ])('fails as a whole on %s', async (_what, body) => {
      await expect(many(body)).rejects.toBeInstanceOf(ChainError);
    });

    it('bounds the size of the whole batch', async () => {
      await expect(many([], 1_000)).rejects.toMatchObject({ code: 'RPC_REQUEST_TOO_LARGE' });
    });
  });

  it('keeps the endpoint, which can hold a key, out of its errors', async () => {
    for (const listener of [answering('oops', 500), answering('not json')]) {
      const error = await failure(await endpoint(listener));
      expect(`${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`).not.toContain('secret-key');
    }
  });
});
