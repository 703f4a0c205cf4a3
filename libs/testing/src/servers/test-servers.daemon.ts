// `test-servers.daemon.ts <state folder> <owner pid>`: runs one PostgreSQL and one Temporal for a whole test run, each
// started on first use. Lives as long as its owner, the run, and leaves nothing behind.
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import { isProcessAlive } from '@launch/platform/processes';
import type { PostgresServer } from '@launch/postgres-server';
import { startTemporaryPostgres } from '@launch/postgres-server';
import { findService } from '@launch/prisma-tools';
import type { TemporalServer } from '@launch/temporal-server';
import { startTemporal } from '@launch/temporal-server';
import { DAEMON_FILE } from './daemon-client.js';
import { makeTemplate, type Template } from './template-database.js';

const OWNER_POLL_MS = 250;

const [stateDir, ownerText] = process.argv.slice(2);
if (stateDir === undefined || ownerText === undefined)
  throw new Error('usage: test-servers.daemon.ts <state folder> <owner pid>');
const owner = Number(ownerText);

let postgres: Promise<PostgresServer> | undefined;
let temporal: Promise<TemporalServer> | undefined;
const templates = new Map<string, Promise<Template>>();

async function handle(pathname: string): Promise<unknown> {
  const [kind, name] = pathname.slice(1).split('/');
  if (kind === 'postgres') return { adminUrl: (await (postgres ??= startTemporaryPostgres())).adminUrl() };
  if (kind === 'temporal') {
    const server = await (temporal ??= startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }));
    return { address: server.address, namespace: server.namespace };
  }
  if (kind === 'template' && name !== undefined) {
    const { adminUrl } = (await handle('/postgres')) as { adminUrl: string };
    let template = templates.get(name);
    if (template === undefined) templates.set(name, (template = makeTemplate(adminUrl, findService(name))));
    return { adminUrl, ...(await template) };
  }
  throw new Error(`no test server ${pathname}`);
}

const server = createServer((request, response) => {
  handle(request.url ?? '').then(
    (body) => response.end(JSON.stringify(body)),
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
  await Promise.allSettled([postgres?.then((running) => running.stop()), temporal?.then((running) => running.stop())]);
  await rm(stateDir as string, { recursive: true, force: true });
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
setInterval(() => {
  if (!isProcessAlive(owner)) void end();
}, OWNER_POLL_MS);

server.listen(0, '127.0.0.1', () => {
  void writeFile(
    path.join(stateDir, DAEMON_FILE),
    JSON.stringify({ port: (server.address() as AddressInfo).port, pid: process.pid }),
  );
});
