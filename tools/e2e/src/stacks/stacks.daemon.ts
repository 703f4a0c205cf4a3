// `stacks.daemon.ts <state folder> <owner pid>`: the running product, once for every kind that suites share, each begun when first
// asked for. Lives as long as its owner, the run, and leaves nothing behind.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isProcessAlive } from '@launch/platform/processes';
import { startStack, type MadeLaunch, type RunningStack, type Stack } from '@launch/start';
import { DAEMON_FILE } from '@launch/testing';
import { launchThroughSources } from './launch-through-sources.js';
import { COMPILER_CACHE, SOURCE_LAUNCHES } from './of-the-run.js';
import { testStack } from './own-stack.js';
import { SHARED_STACKS, type SharedStackName } from './shared-stacks.js';

const OWNER_POLL_MS = 250;

const [stateDir = '', ownerText = ''] = process.argv.slice(2);
const owner = Number(ownerText);
const compilerCache = path.join(stateDir, COMPILER_CACHE);
const running = new Map<SharedStackName, Promise<RunningStack>>();
let launched: Promise<readonly MadeLaunch[]> | undefined;

async function answerTo(name: string): Promise<unknown> {
  if (name === COMPILER_CACHE) return compilerCache;
  if (name === SOURCE_LAUNCHES) return (launched ??= stackOf('launches').then(launchThroughSources));
  if (name in SHARED_STACKS) return stackOf(name as SharedStackName);
  throw new Error(`no stack ${name}`);
}

async function stackOf(name: SharedStackName): Promise<Stack> {
  let stack = running.get(name);
  if (stack === undefined) running.set(name, (stack = begin(name)));
  return (await stack).stack;
}

async function begin(name: SharedStackName): Promise<RunningStack> {
  const dir = path.join(stateDir, name);
  await mkdir(dir, { mode: 0o711 });
  return startStack(testStack({ ...SHARED_STACKS[name], dir }, compilerCache));
}

const server = createServer((request, response) => {
  answerTo((request.url ?? '').slice(1)).then(
    (answer) => response.end(JSON.stringify(answer)),
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
