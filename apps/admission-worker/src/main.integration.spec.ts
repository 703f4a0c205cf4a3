import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { SEARCH_ATTRIBUTE_TYPES, TASK_QUEUES } from '@launch/contracts/orchestration';
import { connectTemporal, lastPolled, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { createTestDatabase, startServiceProcess, type ServiceProcess, type TestDatabase } from '@launch/testing';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';

jest.setTimeout(180_000);
const WITHIN_MS = 10_000;

let dir: string;
let database: TestDatabase;
let server: TemporalServer;
let temporal: TemporalClient;
let service: ServiceProcess;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'admission-process-'));
  const program = await sourceProgram(path.join(import.meta.dirname, 'main.ts'), path.join(dir, 'program'));
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path.join(dir, 'key.pem'), key, { mode: 0o600 });
  [database, server] = await Promise.all([
    createTestDatabase('admission'),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  temporal = await connectTemporal({ address: server.address, namespace: server.namespace });
  service = await startServiceProcess({
    args: [program],
    env: {
      DATABASE_URL: database.url,
      BLOB_STORE: path.join(dir, 'blobs'),
      RPC_4663_URLS: 'one=http://127.0.0.1:9,two=http://localhost:10',
      ADMISSION_SIGNING_KEY_FILE: path.join(dir, 'key.pem'),
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: server.namespace,
      METRICS_PORT: '0',
    },
    readyTimeoutMs: 120_000,
  });
});
afterAll(async () => {
  await service?.stop();
  await temporal?.close();
  await Promise.all([server?.stop(), database?.drop()]);
  await rm(dir, { recursive: true, force: true });
});

it('The admission process serves its steps and both kinds of compilations, each on a queue of its own.', async () => {
  for (const queue of [TASK_QUEUES.admission, TASK_QUEUES.compilation, TASK_QUEUES.longCompilation])
    while ((await lastPolled(temporal.client, queue, WITHIN_MS)) === null)
      await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await fetch(`http://127.0.0.1:${service.ready.port}/readyz`)).status).toBe(200);
});
