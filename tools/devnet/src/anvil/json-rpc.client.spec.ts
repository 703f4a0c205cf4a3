import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen, readBody, sendJson, type ListeningServer } from '../http.server.js';
import { createJsonRpcClient, type JsonRpcClient } from './json-rpc.client.js';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

let server: ListeningServer;
let client: JsonRpcClient;
/** Received calls, one entry per exchange. */
let exchanges: (Call | Call[])[];
let answer: (asked: Call | Call[]) => unknown;

const echo = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, result: [method, ...params] });

beforeEach(async () => {
  exchanges = [];
  answer = (asked) => (Array.isArray(asked) ? asked.map(echo) : echo(asked));
  server = await listen(0, async (request, response) => {
    const asked = JSON.parse((await readBody(request, 1_000_000)) ?? '') as Call | Call[];
    exchanges.push(asked);
    sendJson(response, 200, answer(asked));
  });
  client = createJsonRpcClient(server.url);
});
afterEach(async () => {
  client.close();
  await server.close();
});

const headers = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => client.ask('eth_getBlockByNumber', [number, false])));

describe('createJsonRpcClient', () => {
  it('sends the calls of one moment in one exchange, and returns each its answer in any order of arrival', async () => {
    answer = (asked) => (asked as Call[]).map(echo).reverse();
    expect(await headers(3)).toEqual([0, 1, 2].map((number) => ({ result: ['eth_getBlockByNumber', number, false] })));
    expect(exchanges).toHaveLength(1);
  });

  it('sends a call of another moment separately', async () => {
    expect(await client.call('eth_chainId')).toEqual(['eth_chainId']);
    expect(await client.call('eth_getCode', '0x1')).toEqual(['eth_getCode', '0x1']);
    expect(exchanges.map((asked) => Array.isArray(asked))).toEqual([false, false]);
  });

  it('sends at most 64 calls in one exchange', async () => {
    expect(await headers(130)).toHaveLength(130);
    expect(
      exchanges.map((asked) => (Array.isArray(asked) ? asked.length : 1)).sort((one, other) => other - one),
    ).toEqual([64, 64, 2]);
  });

  it.each(['eth_sendRawTransaction', 'evm_mine', 'anvil_rollback', 'eth_getLogs', 'eth_getBlockReceipts'])(
    'sends %s in a separate exchange',
    async (method) => {
      await Promise.all([client.call(method, 1), client.call(method, 2), headers(2)]);
      expect(exchanges.filter((asked) => !Array.isArray(asked) && asked.method === method)).toHaveLength(2);
    },
  );

  it('reports an error of one call separately from the answers of the others', async () => {
    answer = (asked) =>
      (asked as Call[]).map((call) =>
        call.method === 'eth_call'
          ? { jsonrpc: '2.0', id: call.id, error: { code: 3, message: 'execution reverted', data: '0x01' } }
          : echo(call),
      );
    const [reverted, code] = await Promise.all([client.ask('eth_call', []), client.ask('eth_getCode', [])]);
    expect(reverted).toEqual({ error: { code: 3, message: 'execution reverted', data: '0x01' } });
    expect(code).toEqual({ result: ['eth_getCode'] });
  });

  it.each([
    ['no batch', () => ({ jsonrpc: '2.0', id: 0, result: 1 })],
    ['an answer too few', (asked: Call | Call[]) => (asked as Call[]).slice(1).map(echo)],
    ['no JSON-RPC', () => 'busy'],
  ])('reports an answer without JSON-RPC when the answer is %s', async (_case, answers) => {
    answer = answers;
    const asked = await Promise.allSettled([client.ask('eth_getCode', []), client.ask('eth_call', [])]);
    for (const { status, reason } of asked as PromiseRejectedResult[])
      expect([status, reason]).toEqual(['rejected', expect.objectContaining({ code: 'RPC_FAILED' })]);
  });
});
