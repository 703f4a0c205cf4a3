// `stacks.daemon.ts <state folder> <owner pid>`: the running product, once for every kind that suites share, each begun when first
// asked for. Lives as long as its owner, the run, and leaves nothing behind.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Stack } from '@launch/contracts';
import { isProcessAlive } from '@launch/platform/processes';
import { startStack, type RunningStack, type StackOptions } from '@launch/start';
import { DAEMON_FILE } from '@launch/testing';
import { generously } from './own-stack.js';
import { SHARED_STACKS, type SharedStackName } from './shared-stacks.js';

const OWNER_POLL_MS = 250;

const [stateDir = '', ownerText = ''] = process.argv.slice(2);
const owner = Number(ownerText);
const running = new Map<SharedStackName, Promise<RunningStack>>();

async function stackOf(name: SharedStackName): Promise<Stack> {
  let stack = running.get(name);
  if (stack === undefined) running.set(name, (stack = begin(name)));
  return (await stack).stack;
}

async function begin(name: SharedStackName): Promise<RunningStack> {
  const dir = path.join(stateDir, name);
  await mkdir(dir, { mode: 0o711 });
  const { serviceEnv, ...options }: Partial<StackOptions> = SHARED_STACKS[name];
  return startStack({ finalitySeconds: 5, idleBlockMs: 0, ...options, dir, serviceEnv: generously(serviceEnv) });
}

const server = createServer((request, response) => {
  const name = (request.url ?? '').slice(1);
  const answer =
    name in SHARED_STACKS ? stackOf(name as SharedStackName) : Promise.reject(new Error(`no stack ${name}`));
  answer.then(
    (stack) => response.end(JSON.stringify(stack)),
    (error: unknown) => {
      response.statusCode = 500;
      response.end(error instanceof Error ? (error.stack ?? error.message) : String(error));
    },
  );
});

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  server.close();
  await Promise.allSettled([...running.values()].map(async (stack) => (await stack).stop()));
  await rm(stateDir, { recursive: true, force: true });
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
setInterval(() => {
  if (!isProcessAlive(owner)) void end();
}, OWNER_POLL_MS);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  void writeFile(path.join(stateDir, DAEMON_FILE), JSON.stringify({ port, pid: process.pid }));
});
