import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runIndexReader, type Terminal } from './run-index-reader.js';

let server: Server;
let origin: string;
let requests = 0;
let retryable = true;
beforeAll(async () => {
  server = createServer((_, response) => {
    requests += 1;
    const headers = { 'content-type': 'application/json', 'retry-after': '7' };
    const error = { code: 'INDEX_NOT_CURRENT', retryable, findings: [] };
    response.writeHead(503, headers).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Returns the exit code, the number of requests, and the waits that were reported. */
async function run(command: readonly string[], ...more: readonly string[]) {
  requests = 0;
  const said: string[] = [];
  const terminal: Terminal = {
    stdout: false,
    stderr: false,
    say: (text) => void said.push(text),
    sleep: async () => undefined,
  };
  const argv = [...command, '--api-origin', origin, ...more];
  const environment = { RPC_1_URLS: 'a=https://one.example,b=https://two.example' };
  const { exitCode } = await runIndexReader(argv, environment, terminal);
  return { exitCode, requests, waits: said.map((line) => JSON.parse(line).retrying) };
}

describe.each([
  ['coin', ['coin', '--chain-id', '1', '--token', `0x${'0'.repeat(39)}1`]],
  ['verify', ['verify', '--chain-id', '1', '--transaction', `0x${'1'.repeat(64)}`]],
  ['feed --feed v4', ['feed', '--feed', 'v4']],
  ['feed --feed v3', ['feed', '--feed', 'v3']],
  ['feed --feed multi-role', ['feed', '--feed', 'multi-role']],
  ['feed --feed identities', ['feed', '--feed', 'identities']],
])('%s', (_name, command) => {
  it('repeats with --retry what the service calls retryable, after the time that it asks for', async () => {
    retryable = true;
    const once = await run(command);
    expect(once).toEqual({ exitCode: 4, requests: once.requests, waits: [] });
    expect(await run(command, '--retry')).toEqual({
      exitCode: 4,
      requests: 6 * once.requests,
      waits: new Array(5).fill({ code: 'INDEX_NOT_CURRENT', seconds: 7 }),
    });
  });

  it('repeats no other refusal', async () => {
    retryable = false;
    expect((await run(command, '--retry')).waits).toEqual([]);
  });
});
