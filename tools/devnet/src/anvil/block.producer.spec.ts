import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { listen, readBody, sendJson, type ListeningServer } from '../http.server.js';
import { BlockProducer } from './block.producer.js';
import { createJsonRpcClient, type JsonRpcClient } from './json-rpc.client.js';

interface Call {
  readonly id: number;
  readonly method: string;
}

let server: ListeningServer;
let rpc: JsonRpcClient;
/** Received methods, one entry per exchange. */
let exchanges: string[][];

beforeEach(async () => {
  exchanges = [];
  server = await listen(0, async (request, response) => {
    const asked = JSON.parse((await readBody(request, 1_000_000)) ?? '') as Call | Call[];
    const calls = Array.isArray(asked) ? asked : [asked];
    exchanges.push(calls.map(({ method }) => method));
    const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x0' }));
    sendJson(response, 200, Array.isArray(asked) ? answers : answers[0]);
  });
  rpc = createJsonRpcClient(server.url);
});
afterEach(async () => {
  rpc.close();
  await server.close();
});

/** Returns the exchanges of a producer until it has caught up this many times. */
async function exchangesOf(due: boolean, catchUps: number): Promise<string[][]> {
  const enough = new Promise<void>((resolve, reject) => {
    let left = catchUps;
    const producer = new BlockProducer({
      rpc,
      tickMs: 1,
      isDue: async () => {
        await rpc.call('txpool_status');
        return due;
      },
      catchUp: async () => {
        await rpc.head();
        left -= 1;
        if (left === 0) void producer.stop().then(resolve, reject);
      },
      onFailure: reject,
    });
    producer.start();
  });
  await enough;
  return exchanges;
}

it('The block producer asks the chain in one exchange per check when no block is due.', async () => {
  const look = ['txpool_status', 'eth_blockNumber'];
  expect(await exchangesOf(false, 2)).toEqual([look, look]);
});

it('The block producer reads the chain once more after the block that it made.', async () => {
  expect(await exchangesOf(true, 2)).toEqual([['txpool_status', 'eth_blockNumber'], ['evm_mine'], ['eth_blockNumber']]);
});
