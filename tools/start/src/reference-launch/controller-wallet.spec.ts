import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WalletTransaction } from '@launch/contracts/launch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../stack.schema.js';
import { sendFromController } from './controller-wallet.js';

const folder = mkdtempSync(join(tmpdir(), 'controller-wallet-'));
const privateKeyFile = join(folder, 'key');
const privateKey = generatePrivateKey();
const DEADLINE = '1790000000';
const SENT: Hex = `0x${'d0'.repeat(32)}`;

/** The endpoint of the chain: its id, the time of its last block, and the requests that it received. */
const endpoint = { chainId: 4663, seconds: 0, asked: [] as string[] };
const answers: Readonly<Record<string, () => unknown>> = {
  eth_chainId: () => `0x${endpoint.chainId.toString(16)}`,
  eth_getBlockByNumber: () => ({ number: '0x1', timestamp: `0x${endpoint.seconds.toString(16)}`, transactions: [] }),
  eth_getTransactionCount: () => '0x0',
  eth_estimateGas: () => '0x5208',
  eth_gasPrice: () => '0x1',
  eth_sendRawTransaction: () => SENT,
};
let server: Server;
let stack: Stack;
beforeAll(async () => {
  writeFileSync(privateKeyFile, privateKey);
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      endpoint.asked.push(method);
      const answer = answers[method];
      const said = answer === undefined ? { error: { code: -32601, message: 'none' } } : { result: answer() };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stack = { controller: { privateKeyFile }, rpc: { '4663': [url] } } as unknown as Stack;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  Object.assign(endpoint, { chainId: 4663, seconds: Number(DEADLINE), asked: [] });
});

const transaction: WalletTransaction = {
  from: privateKeyToAccount(privateKey).address.toLowerCase() as Hex,
  to: `0x${'b'.repeat(40)}`,
  chainId: '4663',
  value: '7',
  data: '0x1234',
};

describe('The wallet of the controller', () => {
  it('sends a transaction of its own chain up to the deadline', async () => {
    expect(await sendFromController(stack, transaction, DEADLINE)).toBe(SENT);
  });

  it.each<[string, () => WalletTransaction, RegExp]>([
    ['of another wallet', () => ({ ...transaction, from: `0x${'a'.repeat(40)}` }), /another wallet/],
    [
      'of another chain than its endpoint',
      () => {
        endpoint.chainId = 1;
        return transaction;
      },
      /for chain 4663, and the endpoint is of chain 1/,
    ],
    [
      'whose permit has expired',
      () => {
        endpoint.seconds += 1;
        return transaction;
      },
      /has expired/,
    ],
  ])('sends no transaction %s', async (_what, handed, reason) => {
    await expect(sendFromController(stack, handed(), DEADLINE)).rejects.toThrow(reason);
    expect(endpoint.asked).not.toContain('eth_sendRawTransaction');
  });
});
