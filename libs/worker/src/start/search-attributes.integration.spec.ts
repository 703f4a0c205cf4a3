import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import type { NativeConnection } from '@temporalio/worker';
import { connectTemporal, type TemporalClient, type TemporalTarget } from '@launch/temporal';
import { locateTemporal } from '@launch/temporal-server';
import { sharedTemporal, startServiceProcess, uniqueName } from '@launch/testing';
import { probeActivities } from '../testdata/probe.activities.js';
import { BackgroundWorker } from './background-worker.js';
import { awaitSearchAttributes, requireSearchAttributes } from './search-attributes.js';
import { connectWorkers } from './service-worker.js';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../../..');
const DAY_SECONDS = 86_400;
/** A server uses a new namespace everywhere only after its caches were refreshed. */
const NAMESPACE_TIMEOUT_MS = 60_000;
const EVERY_ATTRIBUTE = Object.keys(SEARCH_ATTRIBUTE_TYPES).join(', ');

let shared: TemporalTarget;
let program: string;
let temporal: TemporalClient;
let connection: NativeConnection;
const namespaceBeside = uniqueName('bare');
const warnings: string[] = [];
let beside: BackgroundWorker;
beforeAll(async () => {
  shared = await sharedTemporal();
  const silent = (): void => undefined;
  // It installs the runtime, which must exist before a connection.
  beside = new BackgroundWorker({
    target: { ...shared, namespace: namespaceBeside },
    taskQueue: uniqueName('probe'),
    service: 'probe',
    activities: probeActivities,
    maxConcurrentActivities: 2,
    logger: {
      ...{ trace: silent, debug: silent, info: silent, error: silent },
      warn: ({ err }: { err?: Error }, why: string) => warnings.push(`${why}: ${err?.message}`),
    } as never,
  });
  ({ program } = await locateTemporal());
  temporal = await connectTemporal(shared);
  connection = await connectWorkers(shared);
});
afterAll(async () => {
  await temporal.close();
  await connection.close();
});

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + NAMESPACE_TIMEOUT_MS; !(await holds());) {
    if (Date.now() > end) throw new Error('it did not come true');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code,
  );

/** Creates a namespace without this repository's attributes, as on an operator's own server. */
async function bareNamespace(namespace = uniqueName('bare')): Promise<string> {
  await temporal.client.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: DAY_SECONDS as never },
  });
  await until(
    async () => (await codeOf(requireSearchAttributes(connection, namespace))) === 'SEARCH_ATTRIBUTES_MISSING',
  );
  return namespace;
}
const command = (line: string) => run(program, [...line.split(' '), '--address', shared.address]);
const register = (namespace: string, ...attributes: string[]) =>
  command(`operator search-attribute create --namespace ${namespace} ${attributes.join(' ')}`);

describe('a namespace', () => {
  it('A namespace with every attribute is accepted.', async () => {
    await expect(requireSearchAttributes(connection, shared.namespace)).resolves.toBeUndefined();
  });

  it('A namespace without one attribute is refused by its name, and accepted after the command in the refusal.', async () => {
    const namespace = await bareNamespace();
    await register(
      namespace,
      ...Object.entries(SEARCH_ATTRIBUTE_TYPES)
        .filter(([name]) => name !== 'LaunchFinding')
        .map(([name, type]) => `--name ${name} --type ${type}`),
    );
    await until(async () => {
      const refusal = await requireSearchAttributes(connection, namespace).catch((error: Error) => error.message);
      return / does not have LaunchFinding;/.test(String(refusal));
    });
    const registration = `temporal operator search-attribute create --namespace ${namespace} --name LaunchFinding --type KeywordList`;
    await expect(awaitSearchAttributes(connection, namespace, 0)).rejects.toMatchObject({
      code: 'SEARCH_ATTRIBUTES_MISSING',
      message: `SEARCH_ATTRIBUTES_MISSING: namespace ${namespace} does not have LaunchFinding; register with: ${registration}`,
    });
    await command(registration.replace('temporal ', ''));
    await expect(awaitSearchAttributes(connection, namespace)).resolves.toBeUndefined();
  }, 180_000);

  it('A namespace that does not exist yields the server’s error, not a missing attribute.', async () => {
    expect(await codeOf(awaitSearchAttributes(connection, uniqueName('nowhere'), 0))).toBe(5);
  });
});

describe('the process of a worker', () => {
  it('exits and names the missing attributes', async () => {
    const namespace = await bareNamespace();
    const started = startServiceProcess({
      args: [
        '--no-warnings',
        '--conditions=@launch/source',
        '--import',
        pathToFileURL(path.join(ROOT, 'tools/source-hooks.mjs')).href,
        path.join(import.meta.dirname, '../testdata/probe.main.ts'),
      ],
      env: { TEMPORAL_ADDRESS: shared.address, TEMPORAL_NAMESPACE: namespace },
      readyTimeoutMs: 90_000,
    });
    await expect(started).rejects.toThrow(
      new RegExp(`SEARCH_ATTRIBUTES_MISSING: namespace bare-[^ ]+ does not have ${EVERY_ATTRIBUTE};`),
    );
  }, 180_000);
});

describe('a background worker', () => {
  it('logs the missing attribute, and starts once it is registered', async () => {
    const namespace = await bareNamespace(namespaceBeside);
    const running = beside.run();
    try {
      await until(async () => warnings.length > 0);
      expect(warnings[0]).toMatch(
        new RegExp(`^the namespace is not prepared: SEARCH_ATTRIBUTES_MISSING: .* ${EVERY_ATTRIBUTE};`),
      );
      await expect(beside.check()).rejects.toMatchObject({ cause: { code: 'SEARCH_ATTRIBUTES_MISSING' } });
      await register(namespace, /(--name .*)$/.exec(warnings[0] ?? '')?.[1] ?? '');
      await until(async () => (await codeOf(beside.check())) === 'none');
    } finally {
      await beside.stop();
      await running;
    }
  }, 180_000);
});
